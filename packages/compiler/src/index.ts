export { emitModules } from './emit.ts'
export type { Content, EmitOptions, Modules } from './emit.ts'
export { emitFiles, leftovers } from './emit/files.ts'
export type { EmitFilesOptions, EmittedFiles } from './emit/files.ts'
export { MARK } from './emit/header.ts'
export { PACK_MAGIC } from './emit/pack.ts'
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
