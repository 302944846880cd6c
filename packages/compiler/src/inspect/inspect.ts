import { hash } from 'node:crypto'
import type { Manifest } from '../frontmatter/parse.ts'
import { readerVersions } from '../portability/versions.ts'
import type { SkillDraft } from '../read/skill.ts'
import { rules } from '../rules/index.ts'
import { outsideLinksOf } from '../rules/skill-links.ts'
import type { FindingsCache } from '../types.ts'
import type { Found, Inspected, Inspection, SkillFacts } from './facts.ts'
import { createLineEndings } from './git.ts'
import type { LineEndings } from './git.ts'
import { RULE_SET } from './version.ts'

export type Inspect = (draft: SkillDraft) => Promise<Inspected>

/** What was seen of drafts that are still the same. */
const seen = new WeakMap<SkillDraft, { readonly signature: string; readonly inspected: Inspected }>()

/** Looks at skills one by one, or remembers what was seen of the same bytes, now or by an earlier run. */
export function createInspect(cache: FindingsCache | undefined): Inspect {
  const lineEndingsOf = createLineEndings()
  return async (draft) => {
    const lineEndings = lineEndingsOf(draft.folder)
    const { signature } = lineEndings
    const before = seen.get(draft)
    if (before?.signature === signature) return before.inspected
    const key = cache === undefined ? '' : keyOf(draft, lineEndings)
    const known = cache?.get(key) as Inspection | undefined
    const inspection = known ?? (await look(draft, lineEndings))
    if (known === undefined) cache?.set(key, inspection)
    const inspected = { ...draft, ...inspection }
    seen.set(draft, { signature, inspected })
    return inspected
  }
}

/** Covers everything that the rules about one skill depend on, and the rules. */
function keyOf(draft: SkillDraft, { signature }: LineEndings): string {
  const { skillMd, files, folder: _, ...rest } = draft
  const held = files.map(({ path, digest }) => [path, digest])
  const facts = [RULE_SET, readerVersions(), rest, skillMd === undefined, held, signature]
  return hash('sha256', JSON.stringify(facts))
}

async function look(draft: SkillDraft, lineEndings: LineEndings): Promise<Inspection> {
  // The YAML parser and the other readers are slow to load: a run that knows everything needs none.
  const manifest = draft.skillMd && (await import('../frontmatter/parse.ts')).readManifest(draft.skillMd)
  const { compareReaders } = await import('../portability/compare.ts')
  const portability = await compareReaders(draft, manifest)
  const facts = { ...draft, manifest, portability, lineEndings }
  return { ...namesOf(manifest), found: runRules(facts), outside: outsideLinksOf(draft) }
}

function namesOf(manifest: Manifest | undefined): Pick<Inspection, 'frontmatter' | 'nameAt'> {
  const { frontmatter } = manifest ?? {}
  const nameAt = manifest?.locate(['name'], 'value')
  return { ...(frontmatter !== undefined && { frontmatter }), ...(nameAt !== undefined && { nameAt }) }
}

function runRules(facts: SkillFacts): Found[] {
  const found: Found[] = []
  let errors = 0
  for (const rule of rules) {
    rule.skill?.(
      facts,
      (finding) => {
        if (rule.severity === 'error') errors++
        found.push([rule.id, finding])
      },
      errors,
    )
  }
  return found
}
