/** What a name means at one server. */
import type { Skill } from '@embed-skills/runtime'
import type { HeldSkills } from './held.ts'
import type { SkillRef } from './ref.ts'
import type { SkillServer } from './server.ts'
import { SkillHostError } from './errors.ts'
import { canonical } from './ref.ts'

/** A skill of one server. Only a name that is unknown has a listing that has expired asked for again. */
export async function findSkill(
  server: SkillServer,
  nameOrUri: string,
  held: HeldSkills,
  signal: AbortSignal | undefined,
): Promise<SkillRef> {
  const find = (): SkillRef => ({ server: server.label, uri: uriOf(server, nameOrUri, held.of(server)) })
  try {
    return find()
  } catch (error) {
    if (!(error instanceof SkillHostError && error.code === 'unknown-skill')) throw error
    await server.refresh(signal && { signal })
    return find()
  }
}

/** In the server's own namespace. What is not listed has a name only while it is loaded. */
function uriOf({ label, listed }: SkillServer, nameOrUri: string, loaded: readonly Skill[]): string {
  if (URL.canParse(nameOrUri)) return canonical(nameOrUri)
  const isNamed = ({ frontmatter }: Skill): boolean => frontmatter.name === nameOrUri
  const inListing = listed.filter(isNamed)
  const named = inListing.length ? inListing : loaded.filter(isNamed)
  if (named.length > 1)
    throw new SkillHostError(
      'ambiguous-name',
      `The server "${label}" has ${named.length} skills named "${nameOrUri}". Use the URI of one: ${named.map(({ uri }) => uri).join(', ')}`,
    )
  if (!named[0])
    throw new SkillHostError(
      'unknown-skill',
      `The server "${label}" lists no skill named "${nameOrUri}". A skill that is not listed is loaded by its URI.`,
    )
  return canonical(named[0].uri)
}
