import type { CompiledSkills } from '../compiled.ts'
import type { RequestContext, SkillSource } from '../source.ts'
import type { Resource, Skill, SkillResource } from '../wire.ts'
import type { Member } from './owners.ts'
import { byUri, SKILL_MD } from '../uri.ts'
import { DIRECTORY_MIME_TYPE } from '../wire.ts'
import { malformed } from './call.ts'
import { fill } from './fill.ts'
import { hintsOf, withHints } from './hints.ts'
import { ownersOf } from './owners.ts'
import { once, stateOf } from './state.ts'
import { computedSource, rootOf } from './traits.ts'

/**
 * One source of many, where some are computed. Each file belongs to the deepest skill around it: a
 * skill's manifest and folders take what lies in a nested one from there, and its own copy of that
 * is dropped (feature P11). Among compiled sets, whose copies are equal, nothing of the kind is needed.
 *
 * @throws Error if one path is given two skills, a `dynamic` skill lies in one with a manifest, or a
 *   route with params lies in another skill.
 */
export function nestSkills(skills: readonly (CompiledSkills | SkillSource)[]): SkillSource {
  const owners = ownersOf(skills)
  const dropped = new Set<string>()

  async function entryAt(uri: string, context: RequestContext): Promise<Skill | undefined> {
    for (const member of owners.of(uri).members) {
      const skill = await member.source.get(uri, context)
      if (skill) return skill
    }
    return undefined
  }

  function entryOnce(root: string, context: RequestContext): Promise<Skill | undefined> {
    return once(context, owners, () => entryAt(root + SKILL_MD, context), root)
  }

  /** The entry of `skill` as it is with the skills that nest in it. */
  function nest(skill: Skill, member: Member, context: RequestContext): Promise<Skill> | Skill {
    const root = rootOf(skill.uri)
    const nested = owners.below(root).filter((inner) => !(member.isFixed && owners.isFixed(inner)))
    return nested.length ? nestAll(skill, root, context) : skill
  }

  async function nestAll(skill: Skill, root: string, context: RequestContext): Promise<Skill> {
    const { resources } = skill
    if (resources === 'dynamic') return skill
    const isOwn = ({ uri }: SkillResource): boolean => !owners.rootAround(uri).startsWith(`${root}/`)
    const own = resources.filter(isOwn)
    const copy = resources.find((resource) => !isOwn(resource))
    if (copy) noteDropped(root, copy.uri, context)
    const files: SkillResource[] = [...own]
    const parts = [...hintsOf(skill)]
    for (const inner of owners.below(root)) {
      const nested = await entryOnce(inner, context)
      if (!nested) {
        // Who may have it gets another manifest, and so does this caller on another day.
        stateOf(context).isPartial = true
        continue
      }
      if (nested.resources === 'dynamic')
        return malformed(context, `${inner} is dynamic and lies in ${root}, which has a manifest`)
      files.push(...nested.resources.filter(({ uri }) => owners.rootAround(uri) === inner))
      parts.push(...hintsOf(nested))
    }
    const [first, ...rest] = files
    return withHints({ ...skill, resources: [first!, ...rest.sort(byUri)] }, ...parts)
  }

  function noteDropped(root: string, copy: string, context: RequestContext): void {
    if (dropped.has(root)) return
    dropped.add(root)
    stateOf(context).logger.warn(
      `embed-skills: ${root} has a copy of ${copy}, which is served from the nested skill ${owners.rootAround(copy)}`,
    )
  }

  function isOwner({ uri, member }: { uri: string; member: Member }): boolean {
    return owners.of(uri).members.includes(member)
  }

  const source: SkillSource = {
    list: (after, limit, context) =>
      fill(after, limit, context, {
        async fetch(after, limit) {
          const pages = await Promise.all(
            owners.members.map(async (member) => {
              const { items, more } = await member.source.list(after, limit, context)
              return { items: items.map((skill) => ({ uri: skill.uri, skill, member })), more }
            }),
          )
          const found = new Map<string, (typeof pages)[number]['items'][number]>()
          for (const item of pages.flatMap(({ items }) => items)) {
            const other = found.get(item.uri)
            if (!other || (!isOwner(other) && isOwner(item))) found.set(item.uri, item)
          }
          const items = [...found.values()].sort(byUri)
          return {
            items: items.slice(0, limit),
            more: items.length > limit || pages.some(({ more }) => more),
          }
        },
        // A source that may have any skill has none where others are known to be.
        keep: (item) => (isOwner(item) ? nest(item.skill, item.member, context) : undefined),
      }),

    async get(uri, context) {
      const { members } = owners.of(uri)
      for (const member of members) {
        const skill = await member.source.get(uri, context)
        if (skill) return nest(skill, member, context)
      }
      return undefined
    },

    async read(uri, context) {
      for (const { members, isLast } of owners.levels(uri)) {
        for (const member of members) {
          const contents = await member.source.read(uri, context)
          if (contents) return contents
        }
        if (isLast) break
      }
      return undefined
    },

    async readDirectory(uri, context) {
      let own: readonly Resource[] | undefined
      for (const { members, isLast } of owners.levels(`${uri}/`)) {
        for (const member of members) own ??= await member.source.readDirectory(uri, context)
        if (own || isLast) break
      }
      const inner = owners.computedBelow(uri)
      if (!inner.length || (!own && !owners.rootAround(`${uri}/`))) return own

      const children = new Map(own?.map((child) => [child.uri, child]))
      for (const root of inner) {
        const name = root.slice(uri.length + 1).split('/')[0]!
        const child = `${uri}/${name}`
        const nested = await entryOnce(root, context)
        if (!nested) stateOf(context).isPartial = true
        // A folder on the way to the nested skill may be the parent's too.
        if (!nested && child === root) children.delete(child)
        else if (nested)
          children.set(
            child,
            withHints(
              { uri: child, name: decodeURIComponent(name), mimeType: DIRECTORY_MIME_TYPE },
              ...hintsOf(nested),
            ),
          )
      }
      return own || children.size ? [...children.values()].sort(byUri) : undefined
    },
  }
  return computedSource(source, {
    ...owners.traits,
    async peek(uri, context) {
      for (const { peek, source } of owners.of(uri).members) {
        const skill = await (peek ? peek(uri, context) : source.get(uri, context))
        if (skill) return skill
      }
      return undefined
    },
  })
}
