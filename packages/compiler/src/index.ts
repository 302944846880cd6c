export { emitModules } from './emit.ts'
export type { Content, EmitOptions, Modules } from './emit.ts'
export { compile } from './compile.ts'
export { codeFrame, formatDiagnostic, frameOf, summarize } from './report.ts'
export type { FormatOptions } from './report.ts'
export type { TemplateEngine, TemplateEngines } from './template/engine.ts'
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
