import { resolveOptions } from './options.ts'
import { compileFrom } from './pipeline.ts'
import { createDisk } from './read/disk.ts'
import type { CompileOptions, CompileResult, SourceInput } from './types.ts'

/**
 * Reads, checks and hashes the skills of `sources`. Problems with them are diagnostics, all reported together;
 * a skill with an error is not among the skills. In an array, a string that begins with `!` is a glob of what
 * to leave out of the other strings.
 *
 * @throws {TypeError} on wrong arguments, among them rule ids that do not exist.
 * @example
 * import { compile, formatDiagnostic } from '@embed-skills/compiler'
 *
 * const root = process.cwd()
 * const { skills, diagnostics } = await compile('skills/*', { root })
 * for (const diagnostic of diagnostics) console.error(formatDiagnostic(diagnostic, { root }))
 */
export async function compile(
  sources: SourceInput | readonly SourceInput[],
  options: CompileOptions = {},
): Promise<CompileResult> {
  return compileFrom(createDisk(), resolveOptions(sources, options))
}
