export { emitModules } from './emit.ts'
export type { Content, EmitOptions, Modules } from './emit.ts'
export { emitFiles, leftovers } from './emit/files.ts'
export type { EmitFilesOptions, EmittedFiles } from './emit/files.ts'
export { compareWithDisk, writeOutput } from './emit/disk.ts'
export type { Difference, Output } from './emit/disk.ts'
export { declarationsOf, globsIn } from './emit/declarations.ts'
export type { TypedSet } from './emit/declarations.ts'
export type { Encoding } from './emit/values.ts'
export { compile, createCompiler } from './compile.ts'
export type { Compiler } from './compile.ts'
export { vendorSkills } from './sources/vendor.ts'
export { codeFrame, formatDiagnostic, frameOf, summarize } from './report.ts'
export type { FormatOptions } from './report.ts'
export type {
  CompiledSkill,
  CompileOptions,
  CompileResult,
  Diagnostic,
  PackageSource,
  Severity,
  SharedSourceOptions,
  SkillFile,
  SourceInput,
  SourceOptions,
  Vendor,
  VendorSource,
  WatchTargets,
} from './types.ts'
