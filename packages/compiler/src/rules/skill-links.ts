import { codeIn, linksIn, resolveLink } from '../content/links.ts'
import type { Link } from '../content/links.ts'
import { textOf } from '../content/text.ts'
import { positionAt } from '../frontmatter/text.ts'
import type { Position } from '../frontmatter/text.ts'
import type { OutsideLink } from '../inspect/facts.ts'
import type { SkillDraft } from '../read/skill.ts'
import type { SkillFile } from '../types.ts'

/** A link that leads to no file of its skill. */
export interface SkillLink {
  readonly file: SkillFile
  readonly link: Link
  /** Below the skill's folder. */
  readonly to: string
  readonly leads: 'outside' | 'nowhere' | 'left out'
  readonly at: Position
}

const links = new WeakMap<Uint8Array, readonly Link[]>()
const resolved = new WeakMap<readonly SkillFile[], readonly SkillLink[]>()

/** Every link in the Markdown of a skill that leads to no file of it. */
export function linksOf(skill: SkillDraft): readonly SkillLink[] {
  let known = resolved.get(skill.files)
  if (known === undefined) {
    known = findLinks(skill)
    resolved.set(skill.files, known)
  }
  return known
}

function findLinks({ files, leftOut, location, emptyDirectories }: SkillDraft): SkillLink[] {
  const found: SkillLink[] = []
  let places: ReadonlySet<string> | undefined
  const leadsTo = (path: string, to: string): SkillLink['leads'] | 'inside' => {
    if (path.startsWith('/') || to === '..' || to.startsWith('../')) return 'outside'
    places ??= placesOf(files, emptyDirectories)
    if (places.has(to)) return 'inside'
    const onDisk = `${location}/${to}`
    const isLeftOut = leftOut.some(({ file }) => onDisk === file || onDisk.startsWith(`${file}/`))
    return isLeftOut ? 'left out' : 'nowhere'
  }
  for (const file of files) {
    if (file.mimeType !== 'text/markdown' || file.kind !== 'text') continue
    let own = links.get(file.bytes)
    if (own === undefined) {
      own = linksIn(textOf(file))
      links.set(file.bytes, own)
    }
    let isInCode: ((offset: number) => boolean) | undefined
    for (const link of own) {
      const to = resolveLink(file.path, link.path)
      const leads = leadsTo(link.path, to)
      if (leads === 'inside') continue
      isInCode ??= codeIn(textOf(file))
      if (isInCode(link.offset)) continue
      found.push({ file, link, to, leads, at: positionAt(textOf(file), link.offset) })
    }
  }
  return found
}

/** Files, and the folders on the way to them. */
function placesOf(files: readonly SkillFile[], folders: readonly string[]): ReadonlySet<string> {
  const places = new Set(['.', '', ...folders])
  for (const { path } of files) {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) places.add(at)
  }
  return places
}

/** The links that lead out, with what they lead to on the disk and on the wire. */
export function outsideLinksOf(skill: SkillDraft): OutsideLink[] {
  return linksOf(skill)
    .filter(({ leads }) => leads === 'outside')
    .map(({ file, link, to, at }) => ({
      file: `${skill.location}/${file.path}`,
      at,
      target: link.target,
      uri: new URL(link.target.replace(/[#?].*$/, ''), file.uri).href,
      onDisk: resolveLink('', `${skill.location}/${to}`),
    }))
}
