import fs from 'node:fs/promises'
import path from 'node:path'
import type { Diagnostic, Fix } from '@embed-skills/compiler'
import { applyFixes, writeWhole } from '@embed-skills/compiler'

/** What was changed in a file, as a diff. */
export interface FixedFile {
  readonly file: string
  readonly diff: string
}

/** Writes the fixes of diagnostics into their files. */
export async function fixFiles(diagnostics: readonly Diagnostic[], root: string): Promise<FixedFile[]> {
  const byFile = new Map<string, Fix[]>()
  for (const { file, fix } of diagnostics) if (fix) byFile.set(file, [...(byFile.get(file) ?? []), fix])
  const fixed: FixedFile[] = []
  for (const [file, fixes] of byFile) {
    const target = path.join(root, file)
    const before = await fs.readFile(target)
    const { bytes, applied } = await applyFixes(before, fixes)
    if (applied.length === 0) continue
    const { mode } = await fs.stat(target)
    await writeWhole(target, bytes, { mode })
    fixed.push({ file, diff: diffOf(file, before, bytes, applied) })
  }
  return fixed
}

/** A unified diff without context: each fix changes one line, and none comes or goes. */
function diffOf(file: string, before: Uint8Array, after: Uint8Array, fixes: readonly Fix[]): string {
  const [old, now] = [before, after].map((bytes) => Buffer.from(bytes).toString('utf8').split('\n'))
  const changed = [...new Set(fixes.map(({ line }) => line))]
  const hunks = changed.map((line) => {
    const clean = (text = ''): string => text.replace(/\r$/, '')
    return `@@ -${line} +${line} @@\n-${clean(old![line - 1])}\n+${clean(now![line - 1])}`
  })
  return [`--- ${file}`, `+++ ${file}`, ...hunks].join('\n')
}
