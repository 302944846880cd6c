import path from 'node:path'
import type { CompileResult, Diagnostic } from '../types.ts'
import { checkLock, lockFile } from './check.ts'
import { isUnchanged } from './compare.ts'
import { formatChanges } from './format.ts'

/** What the lock says against what was compiled, and the files that this depends on. */
export interface Locked {
  readonly diagnostics: readonly Diagnostic[]
  readonly files: readonly string[]
}

/**
 * Compares what was compiled with its lock, as errors of the compilation. Skills with errors are not compared: their
 * errors come first.
 *
 * @param lock True for `skills.lock.json` in the root, or another name; nothing is compared without one.
 */
export async function lockDiagnostics(
  lock: boolean | string | undefined,
  { skills, templates, diagnostics }: Pick<CompileResult, 'skills' | 'templates' | 'diagnostics'>,
  root: string,
): Promise<Locked> {
  if (lock === undefined || lock === false) return { diagnostics: [], files: [] }
  const file = lockFile(root, lock)
  const report = (message: string, help: string): Locked => {
    const relative = path.relative(root, file).split(path.sep).join('/')
    return {
      diagnostics: [{ rule: 'lock', severity: 'error', message, help, file: relative }],
      files: [file],
    }
  }
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics: [], files: [file] }
  try {
    const changes = await checkLock(file, [...skills, ...templates])
    if (isUnchanged(changes)) return { diagnostics: [], files: [file] }
    return report(
      `Skills differ from the lock\n\n${formatChanges(changes)}\n`,
      `If that is meant, run \`embed-skills lock\` and commit ${path.basename(file)}.`,
    )
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return report(
      error.message,
      'Without one nobody knows what a deploy changes for those who approved the skills.',
    )
  }
}
