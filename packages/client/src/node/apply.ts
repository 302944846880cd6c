import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SkillHost } from '../host.ts'
import type { HostSkill } from '../skill.ts'
import type { Downloaded } from './manifest.ts'
import type { Plan } from './plan.ts'
import type { SyncOptions } from './sync.ts'
import { readAsListed } from '../host.ts'
import { removeEmpty } from './empty.ts'
import { moveAll } from './moves.ts'
import { digestOf, look } from './place.ts'

/** Fetches and verifies every file first, beside the folder; then puts one after the other in its place. */
export async function applyFiles(
  host: SkillHost,
  root: string,
  skill: HostSkill,
  { folder, fetch }: Plan,
  { onProgress, signal }: SyncOptions,
): Promise<void> {
  if (!fetch.length) return
  await mkdir(root, { recursive: true })
  const staging = await mkdtemp(path.join(root, '.embed-skills-'))
  const ref = { server: skill.server, uri: skill.uri }
  try {
    for (const [index, { path: file, digest }] of fetch.entries()) {
      onProgress?.({ skill: ref, done: index, total: fetch.length })
      const { bytes } = await readAsListed(host, skill, file, signal)
      if (digestOf(bytes) !== digest)
        throw new Error(`${skill.uri} changed while it was downloaded. Try again.`)
      await writeFile(path.join(staging, `${index}`), bytes, { mode: 0o644 })
    }
    onProgress?.({ skill: ref, done: fetch.length, total: fetch.length })
    // With SKILL.md last, a new skill is not found before it is complete.
    const order = [...fetch.entries()].sort(([, a], [, b]) => Number(isMain(a.path)) - Number(isMain(b.path)))
    await moveAll(
      root,
      order.map(([index, { path: file }]) => ({
        from: path.join(staging, `${index}`),
        to: `${folder}/${file}`,
      })),
      path.join(staging, 'old-'),
    )
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

function isMain(file: string): boolean {
  return file === 'SKILL.md'
}

/** Removes files that are as they were downloaded and that no other downloaded skill has. */
export async function removeFiles(
  root: string,
  files: Readonly<Record<string, string>>,
  others: readonly Downloaded[],
  folder: string,
): Promise<{ count: number; warnings: string[] }> {
  const shared = new Set(
    others.flatMap((other) => Object.keys(other.files).map((file) => `${other.folder}/${file}`)),
  )
  const warnings: string[] = []
  let count = 0
  for (const [file, digest] of Object.entries(files)) {
    const target = `${folder}/${file}`
    if (shared.has(target)) continue
    const found = await look(root, target)
    if (found === 'nothing') continue
    if (typeof found === 'string' || found.digest !== digest) {
      warnings.push(`${target} was changed by hand and is kept.`)
      continue
    }
    await rm(path.join(root, target))
    count++
    await removeEmpty(path.dirname(path.join(root, target)), root)
  }
  return { count, warnings }
}
