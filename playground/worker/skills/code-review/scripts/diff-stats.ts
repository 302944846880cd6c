/**
 * Sums up a diff, so that a reviewer knows where to begin.
 *
 *   git diff --numstat -z --no-renames main...HEAD | node diff-stats.ts
 *
 * Input: what `git diff --numstat -z` prints, on stdin. Output: Markdown on stdout.
 */
import { readFileSync } from 'node:fs'

interface Change {
  readonly path: string
  readonly added: number
  readonly removed: number
  readonly binary: boolean
}

const LARGE = 400
const AREAS: readonly (readonly [area: string, pattern: RegExp])[] = [
  ['lockfiles', /(^|\/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|[^/]+\.lock)$/],
  ['migrations', /(^|\/)migrations?\//],
  ['tests', /(^|\/)(tests?|__tests__)\/|[._](test|spec)\.[^/]+$/],
  ['docs', /(^|\/)docs?\/|\.(md|mdx|txt)$/],
  ['config', /(^|\/)\.[^/]+|\.(json|ya?ml|toml|ini)$/],
  ['code', /\.(m?[jt]sx?|c[jt]s|py|rb|go|rs|java|kt|php|sql|sh|css|html)$/],
]

/** One record a file: `added TAB removed TAB path NUL`, with `-` for both counts of a binary file. */
function parse(input: string): Change[] {
  if (input !== '' && !input.endsWith('\0')) throw new Error('The input does not end with NUL. Did you pass -z?')
  return input
    .split('\0')
    .slice(0, -1)
    .map((record) => {
      const match = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(record)
      if (!match) throw new Error(`Not a numstat record: ${JSON.stringify(record)}. Did you pass --no-renames?`)
      const [, added = '-', removed = '-', path = ''] = match
      return { path, added: Number(added) || 0, removed: Number(removed) || 0, binary: added === '-' }
    })
}

function areaOf(path: string): string {
  return AREAS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other'
}

function warnings(changes: readonly Change[], areas: ReadonlyMap<string, readonly Change[]>): string[] {
  const found: string[] = []
  for (const { path, added, removed } of changes) {
    const size = added + removed
    if (size > LARGE && areaOf(path) !== 'lockfiles') found.push(`\`${path}\` changes ${size} lines: read it in pieces.`)
  }
  for (const { path, binary } of changes) if (binary) found.push(`\`${path}\` is binary: open it, a diff shows nothing.`)
  if (areas.has('code') && !areas.has('tests')) found.push('Code changed and no test did: ask why.')
  if (areas.has('migrations')) found.push('There are migrations: read them first.')
  if (areas.has('lockfiles') && areas.size === 1) found.push('Only lockfiles changed: ask what moved, and why now.')
  return found
}

const changes = parse(readFileSync(0, 'utf8'))
if (changes.length === 0) {
  console.log('Nothing changed.')
} else {
  const areas = new Map<string, Change[]>()
  for (const change of changes) {
    const area = areaOf(change.path)
    areas.set(area, [...(areas.get(area) ?? []), change])
  }
  const sum = (list: readonly Change[], key: 'added' | 'removed') => list.reduce((total, item) => total + item[key], 0)

  console.log('| Area | Files | Added | Removed |\n|---|--:|--:|--:|')
  for (const [area, list] of [...areas].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`| ${area} | ${list.length} | ${sum(list, 'added')} | ${sum(list, 'removed')} |`)
  }
  console.log(`| **all** | ${changes.length} | ${sum(changes, 'added')} | ${sum(changes, 'removed')} |`)

  const found = warnings(changes, areas)
  if (found.length > 0) console.log(`\nWorth a look:\n\n${found.map((line) => `- ${line}`).join('\n')}`)
}
