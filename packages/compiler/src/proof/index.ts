/**
 * Whether a written bundle holds what was compiled into it. An entry of its own, since it brings a parser.
 *
 * @module
 */
export { expectedModules } from './expected.ts'
export type { Expected, ExpectedModule } from './expected.ts'
export { verifyBundle } from './verify.ts'
export type { Missing, WrittenAsset, WrittenChunk } from './verify.ts'
export { inspectBundle } from './inspect.ts'
export type { BundleFile, BundleProblem, InspectedEntry, Inspection } from './inspect.ts'
export { compareBundleWithLock } from './inspect-lock.ts'
export type { LockedBundle } from './inspect-lock.ts'
