import type { CompiledSkills } from './compiled.ts'
import type { RequestContext } from './source.ts'
import type { Skills } from './catalog.ts'
import type { Skill } from './wire.ts'
import { isCompiled } from './compiled.ts'
import { everySkill, summaryOf } from './features/every-skill.ts'
import { sharedSource } from './shared.ts'
import { verifiedCatalog } from './verified.ts'

const OPENING =
  'This server has skills: instructions for tasks, and files that go with them. Before you act on a task that fits the description of one, read it:'

/**
 * What a server can say of its skills in its `instructions`, for models whose host shows no skills. For
 * a compiled set it is text; for anything else a promise of it, of the skills that a caller may see.
 * `context.authInfo` is taken for a caller who was verified.
 *
 * @example
 * serveSkills(skills, info, { instructions: instructions(skills) })
 */
export function instructions(skills: CompiledSkills): string
export function instructions(skills: Skills, context?: RequestContext): string | Promise<string>
export function instructions(skills: Skills, context: RequestContext = {}): string | Promise<string> {
  if (isCompiled(skills)) return textOf(sharedSource(skills).list('', Infinity).items)
  return listed(skills, context).then(textOf)
}

async function listed(skills: Skills, context: RequestContext): Promise<Skill[]> {
  const all: Skill[] = []
  for await (const skill of everySkill(verifiedCatalog(skills, {}), context)) all.push(skill)
  return all
}

function textOf(skills: readonly Skill[]): string {
  return [OPENING, ...skills.map((skill) => summaryOf(skill, skill.uri))].join('\n')
}
