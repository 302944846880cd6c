import path from 'node:path'
import type { CompileResult, Diagnostic } from '../types.ts'
import { checkLock, lockFile } from './check.ts'
import { isUnchanged } from './compare.ts'
import { formatChanges } from './format.ts'

/** Where something was compiled, and what decided that beside the skills. */
export interface LockedProject {
  /** Absolute. */
  readonly root: string
  /** True for `skills.lock.json` in the root, or another name; nothing is compared without one. */
  readonly lock?: boolean | string
  /** The configuration file, absolute, if there is one. */
  readonly file: string | undefined
}

/**
 * What was compiled, with what its lock says of it as errors, and to be watched with its lock and configuration file.
 * Skills with errors are not compared: their errors come first.
 */
export async function withLock(
  compiled: CompileResult,
  { root, lock = false, file }: LockedProject,
): Promise<CompileResult> {
  const { diagnostics, watch } = compiled
  const locked = lock === false ? undefined : lockFile(root, lock)
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  const compared = locked === undefined || hasErrors ? [] : await compare(locked, compiled, root)
  const files = [...watch.files, locked, file].filter((file) => file !== undefined)
  return { ...compiled, diagnostics: [...diagnostics, ...compared], watch: { ...watch, files } }
}

async function compare(
  file: string,
  { skills, templates }: CompileResult,
  root: string,
): Promise<Diagnostic[]> {
  const report = (message: string, help: string): Diagnostic[] => {
    const relative = path.relative(root, file).split(path.sep).join('/')
    return [{ rule: 'lock', severity: 'error', message, help, file: relative }]
  }
  try {
    const changes = await checkLock(file, [...skills, ...templates])
    if (isUnchanged(changes)) return []
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
