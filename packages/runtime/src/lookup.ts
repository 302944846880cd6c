import type { CompiledSkills } from './compiled.ts'
import type { ServedPath, SetTypes, SkillTypes } from './register.ts'
import type { Skill } from './wire.ts'
import { sharedSource } from './shared.ts'
import { canonicalUri, ROOT, SKILL_MD } from './uri.ts'

/** A file whose bytes are UTF-8 without NUL. */
export interface TextContents {
  readonly mimeType: string
  readonly text: string
  readonly bytes?: undefined
}

/** Any other file. */
export interface BytesContents {
  readonly mimeType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly text?: undefined
}

/** A file's contents: `text` where its bytes are UTF-8 without NUL, else `bytes`. */
export type SkillFileContents = TextContents | BytesContents

/** Which of the two a file is, where the types of its skill say. */
type ContentsOf<T extends SkillTypes, F> = string extends T['text']
  ? SkillFileContents
  : F extends T['text']
    ? TextContents
    : BytesContents

/** An entry whose frontmatter has the types that are known of it. */
export type SkillOf<T extends SkillTypes> = Omit<Skill, 'frontmatter'> & Pick<T, 'frontmatter'>

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
export function getSkill<T extends SetTypes, P extends ServedPath<T>>(
  skills: CompiledSkills<T>,
  path: P,
): SkillOf<T[P]> {
  const skill = sharedSource(skills).get(ROOT + path + SKILL_MD)
  if (!skill) throw new RangeError(`There is no skill "${path}" in this set`)
  return skill as SkillOf<T[P]>
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
export async function readFile<
  T extends SetTypes,
  P extends ServedPath<T>,
  F extends T[P]['text'] | T[P]['bytes'],
>(skills: CompiledSkills<T>, path: P, file: F): Promise<ContentsOf<T[P], F>> {
  const uri = canonicalUri(`${ROOT}${path}/${file.split('/').map(encodeURIComponent).join('/')}`)
  const found = uri && (await sharedSource(skills).read(uri, {}))
  if (!found) throw new RangeError(`There is no file "${file}" in a skill "${path}" of this set`)
  const mimeType = found.mimeType!
  const contents: SkillFileContents =
    'text' in found
      ? { mimeType, text: found.text }
      : { mimeType, bytes: Uint8Array.from(atob(found.blob), (char) => char.charCodeAt(0)) }
  return contents as ContentsOf<T[P], F>
}
