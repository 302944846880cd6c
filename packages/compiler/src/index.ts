export { emitModules } from './emit.ts'
export type { Content, EmitOptions, Modules } from './emit.ts'
export { compileOptionsOf, defineConfig, mergeConfig, refuseUnknown, sourcesOf } from './config/config.ts'
export type { ConfiguredOptions, SkillsConfig } from './config/config.ts'
export { loadConfig } from './config/load.ts'
export type { LoadedConfig } from './config/load.ts'
export { applyFixes } from './fix.ts'
export type { Fixed } from './fix.ts'
export { compiledSet } from './in-memory.ts'
export { explainRule, ruleIds, rulesTable } from './rules/explain.ts'
export type { RuleSummary } from './rules/explain.ts'
export { RULE_SET } from './inspect/version.ts'
export { checkLock, lockFile, readLock, writeLock } from './lock/check.ts'
export { compareWithLock, isUnchanged } from './lock/compare.ts'
export type { LockChanges, SkillChange } from './lock/compare.ts'
export { withLock } from './lock/with-lock.ts'
export type { LockedProject } from './lock/with-lock.ts'
export { formatChanges, summarizeChanges } from './lock/format.ts'
export { formatLock, LOCK_NAME, lockOf, parseLock } from './lock/lock.ts'
export type { LockedSkills, SkillsLock } from '@embed-skills/runtime'
export { nearest } from './nearest.ts'
export { emitFiles, leftovers } from './emit/files.ts'
export type { EmitFilesOptions, EmittedFiles } from './emit/files.ts'
export { compareWithDisk, writeOutput } from './emit/disk.ts'
export type { Difference, Output } from './emit/disk.ts'
export { declarationsOf, globsIn } from './emit/declarations.ts'
export type { TypedSet } from './emit/declarations.ts'
export type { Encoding } from './emit/values.ts'
export { FolderWatcher } from './watch/folder-watcher.ts'
export { nearestFolder } from './watch/wanted.ts'
export { compile, createCompiler } from './compile.ts'
export type { Compiler } from './compile.ts'
export { writeWhole, writeWholeSync } from './write-whole.ts'
export { vendorSkills } from './sources/vendor.ts'
export { codeFrame, formatDiagnostic, frameOf, summarize } from './report.ts'
export type { FormatOptions } from './report.ts'
export { hasTemplates } from './template/engine.ts'
export type { TemplateEngine, TemplateEngines } from './template/engine.ts'
export type {
  CheckedSkill,
  CompiledSkill,
  CompileOptions,
  CompileResult,
  Diagnostic,
  FindingsCache,
  Fix,
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
