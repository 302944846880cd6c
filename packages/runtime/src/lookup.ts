import type { CompiledSkills } from './compiled.ts'
import type { Skill } from './wire.ts'
import { sharedSource } from './shared.ts'
import { canonicalUri, ROOT, SKILL_MD } from './uri.ts'

/** A file's contents: `text` where its bytes are UTF-8 without NUL, else `bytes`. */
export type SkillFileContents =
  | { readonly mimeType: string; readonly text: string; readonly bytes?: undefined }
  | { readonly mimeType: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly text?: undefined }

/**
 * The entry of one skill of a compiled set, as clients receive it.
 *
 * @param path The skill path: `acme/billing/refunds`.
 * @throws RangeError if the set has no such skill.
 * @throws TypeError for a compiled set whose format this runtime does not read.
 *
 * @example
 * const { frontmatter, resources } = getSkill(skills, 'acme/billing/refunds')
 */
export function getSkill(skills: CompiledSkills, path: string): Skill {
  const skill = sharedSource(skills).get(ROOT + path + SKILL_MD)
  if (!skill) throw new RangeError(`There is no skill "${path}" in this set`)
  return skill
}

/**
 * One file of a skill of a compiled set, exactly as it was on disk.
 *
 * @param path The skill path: `acme/billing/refunds`.
 * @param file The path below the skill's folder, as on disk: `templates/mail.md`.
 * @throws RangeError if the set has no such skill or the skill no such file.
 * @throws TypeError for a compiled set whose format this runtime does not read.
 *
 * @example
 * const { text } = await readFile(skills, 'acme/billing/refunds', 'templates/mail.md')
 */
export async function readFile(
  skills: CompiledSkills,
  path: string,
  file: string,
): Promise<SkillFileContents> {
  const uri = canonicalUri(`${ROOT}${path}/${file.split('/').map(encodeURIComponent).join('/')}`)
  const found = uri && (await sharedSource(skills).read(uri, {}))
  if (!found) throw new RangeError(`There is no file "${file}" in a skill "${path}" of this set`)
  const mimeType = found.mimeType!
  if ('text' in found) return { mimeType, text: found.text }
  return { mimeType, bytes: Uint8Array.from(atob(found.blob), (char) => char.charCodeAt(0)) }
}
