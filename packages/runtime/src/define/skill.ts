import type { JsonObject } from '../json.ts'
import type { CallerContext, MaybePromise, SkillSource } from '../source.ts'
import type { CacheHints, Frontmatter } from '../wire.ts'
import type { Blueprint, CodeFile, FileContent, FileOptions } from './blueprint.ts'
import { callApp } from '../computed/call.ts'
import { listOne, NOTHING } from '../computed/list-one.ts'
import { once } from '../computed/state.ts'
import { computedSource } from '../computed/traits.ts'
import { byUri, SKILL_MD } from '../uri.ts'
import { checkFrontmatter, checkPaths, codeFile, withFrontmatter } from './blueprint.ts'
import { mount, placementHints } from './mount.ts'
import { fileUri, rootAt } from './path.ts'

export interface DefineOptions extends Partial<CacheHints> {
  /**
   * Whether every file has the same bytes in every request of the same caller (and `version`). Then the
   * skill has a manifest with digests that hosts verify; else it is `dynamic`. By default it is stable if
   * no file is a function.
   */
  readonly stable?: boolean
  /** What the bytes of a stable skill depend on: they may change when it does. */
  readonly version?: (context: CallerContext) => MaybePromise<string>
  /** Folders that hold nothing, relative to the skill. */
  readonly directories?: readonly string[]
  /** Milliseconds that a function may take: 30,000 by default. */
  readonly timeoutMs?: number
  /** Fields of the entry's `_meta`; keys begin with `io.modelcontextprotocol.skills/`. */
  readonly meta?: JsonObject
}

/** A skill in code: a source to serve, or what a route gives. */
export interface DefinedSkill extends SkillSource {
  /** The skill path: `acme/refunds`. */
  readonly path: string
  /** The URI of its `SKILL.md`. */
  readonly uri: string
  readonly frontmatter: Frontmatter
}

const blueprints = new WeakMap<object, Blueprint>()

/**
 * A skill in code (features P6 to P8, N15). The frontmatter is written ahead of the body, so that what is
 * listed is what is read. A file is text, bytes, or a function that is called when the file is needed:
 * a read calls that of one file, a listing those of all, and only for a stable skill.
 *
 * @param path The skill path: `acme/billing/refunds`. Given to a route, only its last segment counts.
 * @param frontmatter The `name` may be left out: it is the last segment of the path.
 * @param files By path relative to the skill. `SKILL.md` is the body alone; without it the body is empty.
 * @throws TypeError for paths, frontmatter and contents that hosts refuse.
 *
 * @example
 * const status = defineSkill('acme/status', { description: 'Says how the service is. Use for outages.' }, {
 *   'SKILL.md': '# Status\n\nRead [the incidents](incidents.json).\n',
 *   'incidents.json': async () => JSON.stringify(await openIncidents()),
 * })
 */
export function defineSkill(
  path: string,
  frontmatter: Omit<Frontmatter, 'name'> & { readonly name?: string },
  files: Readonly<Record<string, FileContent | FileOptions>>,
  options: DefineOptions = {},
): DefinedSkill {
  const { stable, version, directories = [], timeoutMs, meta, ttlMs, cacheScope } = options
  rootAt(path)
  const checked = checkFrontmatter(
    frontmatter as unknown as JsonObject,
    path.slice(path.lastIndexOf('/') + 1),
  )
  const { 'SKILL.md': body = '', ...others } = files
  checkPaths(['SKILL.md', ...Object.keys(others)], directories)
  const made: CodeFile[] = [
    codeFile('SKILL.md', fileOptions(body), timeoutMs, withFrontmatter(checked)),
    ...Object.entries(others)
      .map(([path, file]) => ({ uri: fileUri('skill://x', path), path, file }))
      .sort(byUri)
      .map(({ path, file }) => codeFile(path, fileOptions(file), timeoutMs)),
  ]
  const hints = {
    ...(ttlMs !== undefined && { ttlMs }),
    ...(cacheScope !== undefined && { cacheScope }),
  }
  return skillOf(path, {
    frontmatter: checked,
    files: made,
    directories,
    stable,
    hints: Object.keys(hints).length ? hints : undefined,
    version,
    meta,
  })
}

/** The source that serves a blueprint by itself. */
export function skillOf(path: string, blueprint: Blueprint): DefinedSkill {
  const root = rootAt(path)
  const isConstant = blueprint.files.every((file) => file.isConstant)
  const stable = blueprint.stable ?? isConstant
  // Constant and stable: the same for everyone, like what was compiled.
  const isStatic = isConstant && stable && !blueprint.hints
  const mounted = mount(blueprint, root, {
    owner: blueprint,
    stable,
    hints: isStatic ? undefined : placementHints(blueprint),
    ...(blueprint.version && {
      version: (context) =>
        once(context, blueprint, () => callApp(context, `the version of ${path}`, blueprint.version!)),
    }),
  })
  const uri = root + SKILL_MD
  const isBelow = (uri: string): boolean => uri.startsWith(`${root}/`)
  const source = computedSource(
    {
      list: async (after, limit, context) =>
        uri > after && limit > 0 ? listOne(mounted.get, context) : NOTHING,
      get: (asked, context) => (asked === uri ? mounted.get(context) : undefined),
      read: (uri, context) => (isBelow(uri) ? mounted.read(uri, context) : undefined),
      readDirectory: (uri, context) => (isBelow(`${uri}/`) ? mounted.readDirectory(uri, context) : undefined),
    },
    {
      roots: [root],
      isDynamic: () => !stable,
      peek: (asked) => (asked === uri ? mounted.summary : undefined),
    },
  )
  const skill: DefinedSkill = { ...source, path, uri, frontmatter: blueprint.frontmatter }
  blueprints.set(skill, blueprint)
  return skill
}

/** The blueprint of what `defineSkill` or `renderSkill` gave; undefined for anything else. */
export function blueprintOf(skill: unknown): Blueprint | undefined {
  return typeof skill === 'object' && skill !== null ? blueprints.get(skill) : undefined
}

function fileOptions(file: FileContent | FileOptions): FileOptions {
  return typeof file === 'object' && !(file instanceof Uint8Array) ? file : { content: file }
}
