export { emitModules } from './emit.ts'
export type { Content, EmitOptions, Modules } from './emit.ts'
export { emitFiles, leftovers } from './emit/files.ts'
export type { EmitFilesOptions, EmittedFiles } from './emit/files.ts'
export { compareWithDisk, writeOutput } from './emit/disk.ts'
export type { Difference, Output } from './emit/disk.ts'
export { declarationsOf, globsIn } from './emit/declarations.ts'
export type { TypedSet } from './emit/declarations.ts'
export type { Encoding } from './emit/values.ts'
export { compile } from './compile.ts'
export { codeFrame, formatDiagnostic, frameOf, summarize } from './report.ts'
export type { FormatOptions } from './report.ts'
export type {
  CompiledSkill,
  CompileOptions,
  CompileResult,
  Diagnostic,
  Severity,
  SkillFile,
  SourceInput,
  SourceOptions,
  WatchTargets,
} from './types.ts'
export { expectedModules } from './proof/expected.ts'
export type { Expected, ExpectedModule } from './proof/expected.ts'
export { reportMissing, suspectsAmong } from './proof/report.ts'
export { verifyBundle } from './proof/verify.ts'
export type { Missing, WrittenAsset, WrittenChunk } from './proof/verify.ts'
export { inspectBundle } from './proof/inspect.ts'
export type { BundleFile, Inspection } from './proof/inspect.ts'
