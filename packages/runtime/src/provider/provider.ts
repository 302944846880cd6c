import type { RequestContext, SkillSource } from '../source.ts'
import type { Resource, ResourceContents, Skill } from '../wire.ts'
import type { DefinedSkill } from '../define/skill.ts'
import type { SkillSummary } from '../computed/traits.ts'
import type { CheckedSkill } from './check.ts'
import type { ProvidedFile, ProvidedSkill, ProviderOptions, SkillProvider } from './types.ts'
import { callApp, malformed } from '../computed/call.ts'
import { fill } from '../computed/fill.ts'
import { completeHints, withHints } from '../computed/hints.ts'
import { warnOfSize } from '../computed/limits.ts'
import { once, stateOf } from '../computed/state.ts'
import { computedSource, rootOf } from '../computed/traits.ts'
import { digestOf, toBase64, toBytes } from '../encoding/bytes.ts'
import { mount, placementHints } from '../define/mount.ts'
import { fileUri } from '../define/path.ts'
import { blueprintOf } from '../define/skill.ts'
import { byUri, ROOT, SKILL_MD } from '../uri.ts'
import { DIRECTORY_MIME_TYPE, skillResource } from '../wire.ts'
import { checkChildren, checkSkill, checkType, hasOddName, isObject, isSkillUri, typeOf } from './check.ts'
import { skillsAfter } from './paging.ts'

/** A skill of a provider, ready to be asked. */
interface OwnedSkill {
  readonly summary: SkillSummary
  readonly entry: () => Promise<Skill>
  read(uri: string): Promise<ResourceContents | undefined>
  readDirectory(uri: string): Promise<readonly Resource[] | undefined>
}

/** Skill paths have no more segments: each around a URI is asked for. */
const MAX_DEPTH = 16

/**
 * Skills that a function looks up, for those which are too many to hold, differ by caller or are
 * generated (features N14, A1 and A8). In a join it is asked only for URIs that lie in no other skill,
 * for files only where `get` has confirmed a skill that owns them, and everything it gives is checked.
 *
 * @throws TypeError if there is no `get`, or skills could have files that nothing reads.
 *
 * @example
 * const reports = provider({
 *   list: ({ after, limit }) => db.reports({ after, limit }).then((rows) => rows.map(toSkill)),
 *   get: async (uri) => toSkill(await db.report(uri)),
 *   read: (uri) => db.file(uri),
 *   readDirectory: (uri) => db.children(uri),
 * })
 */
export function provider(methods: SkillProvider, options: ProviderOptions = {}): SkillSource {
  const { paging = 'after', dynamic = true, binary = true, timeoutMs, ttlMs, cacheScope } = options
  if (typeof methods.get !== 'function') throw new TypeError('A provider needs a get(uri, context)')
  const outer = completeHints({ ...(ttlMs !== undefined && { ttlMs }), ...(cacheScope && { cacheScope }) })

  const pages =
    methods.list &&
    skillsAfter(
      (page, context) =>
        callApp(context, 'a listing of a provider', (context) => methods.list!(page, context), timeoutMs),
      paging,
    )

  /** What was given, as a skill that can be asked for the rest. */
  function own(given: ProvidedSkill | DefinedSkill, context: RequestContext): OwnedSkill {
    const blueprint = blueprintOf(given)
    if (blueprint) return mounted(given as DefinedSkill, context)
    const checked = checkSkill(given as ProvidedSkill, context)
    if (checked.entry.resources === 'dynamic' && !dynamic)
      return malformed(context, `${checked.entry.uri} is dynamic, and its provider has said that none is`)
    const { resources } = checked.entry
    if (resources !== 'dynamic') warnOfSize(methods, checked.entry.uri, resources, context)
    const hints = completeHints({ ...outer, ...hintsIn(given as ProvidedSkill) })
    const mark = <T extends object>(item: T): T => withHints(item, hints)
    return {
      summary: checked.entry,
      entry: async () => mark(checked.entry),
      async read(uri) {
        const file = await readFile(uri, checked, context)
        return file && mark(file)
      },
      async readDirectory(uri) {
        const children =
          checked.entry.resources === 'dynamic'
            ? await dynamicChildren(uri, checked, context)
            : manifestChildren(uri, checked)
        if (children && !children.length) stateOf(context).isPartial = true
        return children?.map(mark)
      },
    }
  }

  function mounted(given: DefinedSkill, context: RequestContext): OwnedSkill {
    const blueprint = blueprintOf(given)!
    const isConstant = blueprint.files.every((file) => file.isConstant)
    const skill = mount(blueprint, rootOf(given.uri), {
      owner: methods,
      stable: blueprint.stable ?? isConstant,
      hints: placementHints(blueprint, outer),
      ...(blueprint.version && {
        version: (context) =>
          once(context, blueprint, () =>
            callApp(context, `the version of ${given.path}`, blueprint.version!, timeoutMs),
          ),
      }),
    })
    return {
      summary: skill.summary,
      entry: () => skill.get(context),
      read: (uri) => skill.read(uri, context),
      readDirectory: async (uri) => skill.readDirectory(uri, context),
    }
  }

  /** The skill at a URI, asked for once a request. */
  function skillAt(uri: string, context: RequestContext): Promise<OwnedSkill | undefined> {
    return once(context, methods, () => ask(uri, context), uri)
  }

  async function ask(uri: string, context: RequestContext): Promise<OwnedSkill | undefined> {
    const given = await callApp(
      context,
      `a provider, asked for ${uri},`,
      (context) => methods.get(uri, context),
      timeoutMs,
    )
    if (given === null || given === undefined) return undefined
    if (!isObject(given) || given.uri !== uri)
      return malformed(context, `a provider was asked for ${uri} and gave another skill`)
    return own(given, context)
  }

  /** The innermost skill around a URI. */
  async function skillAround(uri: string, context: RequestContext): Promise<OwnedSkill | undefined> {
    if (hasOddName(uri)) return undefined
    const roots: string[] = []
    for (let end = ROOT.length; roots.length < MAX_DEPTH && (end = uri.indexOf('/', end + 1)) > 0;)
      roots.unshift(uri.slice(0, end))
    for (const root of roots) {
      const skill = isSkillUri(root + SKILL_MD) && (await skillAt(root + SKILL_MD, context))
      if (skill) return skill
    }
    return undefined
  }

  async function readFile(
    uri: string,
    { entry: { uri: skillUri, resources }, types }: CheckedSkill,
    context: RequestContext,
  ): Promise<ResourceContents | undefined> {
    const row = resources === 'dynamic' ? undefined : resources.find((file) => file.uri === uri)
    if (resources !== 'dynamic' && !row) return undefined
    const given = await callApp(
      context,
      `a provider, asked for the file ${uri},`,
      (context) => methods.read?.(uri, context),
      timeoutMs,
    )
    const refuse = (why: string): never => malformed(context, `a provider gave ${uri} ${why}`)
    if (given === null || given === undefined)
      return row || uri === skillUri ? refuse('no content, and it is listed') : undefined
    try {
      const { content, mimeType } = fileOf(given)
      checkType(mimeType)
      const { bytes, text } = toBytes(content)
      const type = types.get(uri) ?? typeOf(uri, mimeType)
      if (text === undefined && uri === skillUri) return refuse('as what is no UTF-8 text')
      if (!binary && (text === undefined || !isText(type))) return refuse('as binary, which is denied')
      if (row && (row.size !== bytes.length || row.digest !== (await digestOf({ bytes, text }))))
        return refuse('as other bytes than its manifest says')
      return { uri, mimeType: type, ...(text === undefined ? { blob: toBase64(bytes) } : { text }) }
    } catch (error) {
      if (error instanceof TypeError) return refuse(`in a form that cannot be served: ${error.message}`)
      throw error
    }
  }

  async function dynamicChildren(
    uri: string,
    { entry, directories }: CheckedSkill,
    context: RequestContext,
  ): Promise<Resource[] | undefined> {
    const root = rootOf(entry.uri)
    const given = await callApp(
      context,
      `a provider, asked for the folder ${uri},`,
      (context) => methods.readDirectory?.(uri, context),
      timeoutMs,
    )
    const children = given === null || given === undefined ? undefined : checkChildren(given, uri, context)
    const added = declared(uri, root, directories)
    if (uri === root) added.unshift(skillResource(entry))
    const isDeclared = directories.some((path) => fileUri(root, path) === uri)
    if (!children && !added.length && !isDeclared) return undefined
    const all = [...added, ...(children ?? [])].sort(byUri)
    const twice = all.find((child, index) => child.uri === all[index - 1]?.uri)
    if (twice)
      return malformed(context, `a provider lists ${twice.uri}, which is added to its listings anyway`)
    return all
  }

  return computedSource(
    {
      async list(after, limit, context) {
        // Another caller, or this one later, may get another page.
        stateOf(context).isPartial ||= outer.ttlMs === 0 && outer.cacheScope === 'private'
        return fill(after, limit, context, {
          async fetch(after, limit) {
            const given = (await pages?.(after, limit, context)) ?? []
            // A page with anything in it that cannot be served fails; a skill that cannot be rendered is left out.
            const items = given.map((skill) => ({ uri: skill.uri, owned: own(skill, context) }))
            return { items, more: given.length === limit }
          },
          keep: ({ owned }) => owned.entry(),
        })
      },
      get: async (uri, context) => (isSkillUri(uri) ? (await skillAt(uri, context))?.entry() : undefined),
      read: async (uri, context) => (await skillAround(uri, context))?.read(uri),
      readDirectory: async (uri, context) => (await skillAround(`${uri}/`, context))?.readDirectory(uri),
    },
    {
      isOpen: true,
      lacksDirectories: dynamic && !methods.readDirectory,
      peek: async (uri, context) => (isSkillUri(uri) ? (await skillAt(uri, context))?.summary : undefined),
    },
  )
}

/** The children of a folder, by a manifest: nobody is asked. */
function manifestChildren(
  directory: string,
  { entry, types, directories }: CheckedSkill,
): Resource[] | undefined {
  const found = new Map<string, Resource>()
  const root = rootOf(entry.uri)
  for (const { uri, size } of entry.resources as Exclude<Skill['resources'], 'dynamic'>) {
    if (!uri.startsWith(`${directory}/`)) continue
    const [segment] = uri.slice(directory.length + 1).split('/')
    const child = `${directory}/${segment!}`
    const name = decodeURIComponent(segment!)
    found.set(
      child,
      child === entry.uri
        ? skillResource(entry)
        : child === uri
          ? { uri, name, mimeType: types.get(uri)!, size }
          : { uri: child, name, mimeType: DIRECTORY_MIME_TYPE },
    )
  }
  for (const child of declared(directory, root, directories)) found.set(child.uri, child)
  const isDeclared = directories.some((path) => fileUri(root, path) === directory)
  return found.size || isDeclared ? [...found.values()].sort(byUri) : undefined
}

/** Folders right below one, on the way to those that were declared. */
function declared(directory: string, root: string, directories: readonly string[]): Resource[] {
  const found = new Map<string, Resource>()
  for (const path of directories) {
    const uri = fileUri(root, path)
    if (!uri.startsWith(`${directory}/`)) continue
    const [segment] = uri.slice(directory.length + 1).split('/')
    const child = `${directory}/${segment!}`
    found.set(child, { uri: child, name: decodeURIComponent(segment!), mimeType: DIRECTORY_MIME_TYPE })
  }
  return [...found.values()]
}

function fileOf(given: ProvidedFile): { content: unknown; mimeType: string | undefined } {
  if (typeof given === 'string' || given instanceof Uint8Array) return { content: given, mimeType: undefined }
  const { content, mimeType } = Object(given) as { content: unknown; mimeType: string | undefined }
  return { content, mimeType }
}

/** Feature A6: ASCII that is declared as octet-stream is no text either. */
function isText(type: string): boolean {
  return /^text\/|[/+](?:json|jsonl|xml|yaml|toml|javascript|sql|x-sh)(?:$|;)/.test(type)
}

function hintsIn({ ttlMs, cacheScope }: ProvidedSkill): Partial<ProvidedSkill> {
  const isTime = Number.isSafeInteger(ttlMs) && ttlMs! >= 0
  return {
    ...(isTime && { ttlMs: ttlMs! }),
    ...((cacheScope === 'public' || cacheScope === 'private') && { cacheScope }),
  }
}
