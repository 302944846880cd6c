export { emitModules } from './emit.ts'
export type { Content, EmitOptions, Modules } from './emit.ts'
export { compile } from './compile.ts'
export { createCompiler } from './compiler.ts'
export type { Compiler } from './compiler.ts'
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
