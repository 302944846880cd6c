import fs from 'node:fs'
import { createMemory, forget } from './memory.ts'
import { resolveOptions } from './options.ts'
import { compileFrom } from './pipeline.ts'
import { createDisk } from './read/disk.ts'
import type { CompileOptions, CompileResult, SourceInput } from './types.ts'

/** Compiles the same sources again and again, and reads each time only what has changed. */
export interface Compiler {
  /**
   * `compile`, as of now. One call at a time.
   *
   * @param changed Files and folders, absolute, that may have changed since the last call. Without them the
   *   times of all files are compared.
   */
  compile(changed?: readonly string[]): Promise<CompileResult>
}

/**
 * A compiler for watch modes. Skills that did not change are the same objects in the next result.
 *
 * @throws {TypeError} on wrong arguments, as `compile`.
 * @example
 * const compiler = createCompiler('skills/*')
 * await compiler.compile()
 * await compiler.compile([path.resolve('skills/refunds/SKILL.md')])
 */
export function createCompiler(
  sources: SourceInput | readonly SourceInput[],
  options: CompileOptions = {},
): Compiler {
  const resolved = resolveOptions(sources, options)
  const disk = createDisk(fs, true)
  const memory = createMemory()
  return {
    async compile(changed) {
      forget(memory, await disk.refresh(changed))
      return compileFrom(disk, resolved, memory)
    },
  }
}
