import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { compare } from './read/order.ts'
import { tree } from './testing/tree.ts'

/*
 * Real skills are not ours to keep in the repository: the test runs where an archive of them is at hand, in
 * `EMBED_SKILLS_CORPUS` or beside the repository.
 */
const repository = path.resolve(import.meta.dirname, '../../..')
const beside = path.join(repository, '../shared/corpus/real-skills.tar.gz')
const archive = process.env['EMBED_SKILLS_CORPUS'] ?? beside
const skipped = fs.existsSync(archive) ? undefined : 'no archive of real skills at hand'

interface OfficialSkill {
  uri: string
  frontmatter: unknown
  resources: { uri: string; digest: string; size: number }[]
}

test.skipIf(skipped !== undefined)(
  `real skills come out as from the official SDK${skipped === undefined ? '' : ` (skipped: ${skipped})`}`,
  { timeout: 60_000 },
  async () => {
    const files = unpack()
    const root = tree(files)
    const { skills, diagnostics } = await compile('**', { root })
    const { entries, warnings } = await loadOfficially(root)
    const official = new Map(entries.map((skill) => [skill.uri, skill]))

    for (const skill of skills) {
      for (const file of skill.files) {
        const bytes = files[`${skill.path}/${file.path}`]!
        expect(file.digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
      }
      // Whatever is accepted here, the official SDK accepts, and sees the same.
      expect({
        uri: skill.uri,
        frontmatter: skill.frontmatter,
        resources: skill.files
          .map(({ uri, digest, size }) => ({ uri, digest, size }))
          .sort((a, b) => compare(a.uri, b.uri)),
      }).toEqual(official.get(skill.uri))
    }
    // And what it accepts is accepted here.
    expect(skills.map((skill) => skill.uri)).toEqual([...official.keys()])
    // What it refuses has an error here that says why.
    const manifests = Object.keys(files).filter((file) => path.basename(file) === 'SKILL.md')
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    const unexplained = manifests.filter((file) => {
      const folder = path.posix.dirname(file)
      return !official.has(`skill://${folder}/SKILL.md`) && !errors.some((error) => error.skill === folder)
    })
    expect(unexplained).toEqual([])
    expect(warnings.length).toBeGreaterThan(0)

    const rules = [...new Set(diagnostics.map((diagnostic) => diagnostic.rule))].sort(compare)
    const counts = rules.map((rule) => `${rule} ${diagnostics.filter((found) => found.rule === rule).length}`)
    console.log(
      `${skills.length} of ${manifests.length} real skills accepted, by the official SDK ${official.size}`,
    )
    console.log(counts.join(', '))
  },
)

/** The regular files of the archive by path, the folders above skills renamed so that they can be prefixes. */
function unpack(): Record<string, Uint8Array> {
  const top = tree({})
  execFileSync('tar', ['xzf', archive, '-C', top])
  const files: Record<string, Uint8Array> = {}
  const visit = (folder: string, to: string, inSkill: boolean): void => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const source = path.join(folder, entry.name)
      const name = inSkill ? entry.name : entry.name.replace(/^\W+/, '').replaceAll('+', '-')
      const target = to === '' ? name : `${to}/${name}`
      if (entry.isFile()) files[target] = fs.readFileSync(source)
      if (entry.isDirectory()) visit(source, target, inSkill || fs.existsSync(path.join(source, 'SKILL.md')))
    }
  }
  visit(top, '', false)
  return files
}

interface Loaded {
  readonly entries: readonly OfficialSkill[]
  /** A line for each skill or file that it leaves out. */
  readonly warnings: readonly string[]
}

/** What the official SDK's `loadSkills` makes of a folder. */
async function loadOfficially(root: string): Promise<Loaded> {
  const { loadSkills } = await import('@modelcontextprotocol/server/ext/skills/node')
  const warnings: string[] = []
  const catalog = await loadSkills(root, {
    onWarning: ({ path, message }) => warnings.push(`${path}: ${message}`),
  })
  return { entries: catalog.entries as unknown as OfficialSkill[], warnings }
}
