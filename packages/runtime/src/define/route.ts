import type { CallerContext, MaybePromise, RequestContext, SkillSource } from '../source.ts'
import type { CacheHints } from '../wire.ts'
import type { MountedSkill } from './mount.ts'
import type { DefinedSkill } from './skill.ts'
import { callApp, malformed } from '../computed/call.ts'
import { listOne, NOTHING } from '../computed/list-one.ts'
import { matches } from '../computed/owners.ts'
import { once, stateOf } from '../computed/state.ts'
import { computedSource, rootOf } from '../computed/traits.ts'
import { ROOT, SKILL_MD } from '../uri.ts'
import { mount, placementHints } from './mount.ts'
import { isSkillPath, rootAt } from './path.ts'
import { blueprintOf } from './skill.ts'

/** The params of a route's path: `{ studyId: string }` of `studies/:studyId/study-review`. */
export type RouteParams<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParamOf<Segment> & RouteParams<Rest>
  : ParamOf<Path>

type ParamOf<Segment extends string> = Segment extends `:${infer Name}`
  ? { readonly [key in Name]: string }
  : unknown

/** Gives the skill at a path for this caller, or nothing if there is none. */
export type RouteHandler<Path extends string> = (
  params: RouteParams<Path>,
  context: CallerContext,
) => MaybePromise<DefinedSkill | null | undefined>

/** The hints are those of skills that say none of their own. */
export interface RouteOptions<Path extends string> extends Partial<CacheHints> {
  /**
   * Whether a skill has the same bytes in every request of the same caller (and `version`). A skill that
   * says so itself is taken at its word; any other is `dynamic` by default.
   */
  readonly stable?: boolean
  /** What the bytes of a stable skill depend on: they may change when it does. */
  readonly version?: (params: RouteParams<Path>, context: CallerContext) => MaybePromise<string>
  /** Milliseconds that the handler may take: 30,000 by default. */
  readonly timeoutMs?: number
}

type Params = Readonly<Record<string, string>>

/**
 * A skill whose handler runs for each request that concerns it, once (features P1, P2, P4 and P9). A path
 * without params is listed; one with params is served to who knows its URI.
 *
 * The skill that a handler gives is served at the route's path, so that its own path counts for nothing
 * but its last segment, the name.
 *
 * @param path A skill path. Any segment but the first may be a param, `:studyId`, which stands for what a
 *   segment of a skill path may be; a last one for a name.
 * @throws TypeError for a path that no skill can have.
 *
 * @example
 * const review = skillRoute('studies/:studyId/study-review', async ({ studyId }, { authInfo }) => {
 *   const study = await findStudy(studyId, authInfo)
 *   return study && defineSkill('study-review', { description: `Review ${study.title}` }, {
 *     'SKILL.md': `# ${study.title}\n`,
 *   })
 * })
 */
export function skillRoute<const Path extends string>(
  path: Path,
  handler: RouteHandler<Path>,
  options: RouteOptions<Path> = {},
): SkillSource {
  const pattern = path.split('/')
  checkPattern(path, pattern)
  const hasParams = pattern.some(isParam)
  const root = ROOT + path
  const { stable, version, timeoutMs } = options

  /** The folder of the skill that a URI lies in, if it can be one of this route. */
  function rootAround(uri: string): string | undefined {
    const segments = uri.slice(ROOT.length).split('/', pattern.length)
    return matches(pattern, segments) && isSkillPath(segments) ? ROOT + segments.join('/') : undefined
  }

  function paramsOf(root: string): Params {
    const segments = root.slice(ROOT.length).split('/')
    return Object.fromEntries(
      pattern.flatMap((part, index) => (isParam(part) ? [[part.slice(1), segments[index]!]] : [])),
    )
  }

  /** The skill at `root` for this caller. However often a request needs it, the handler runs once. */
  function skillAt(root: string, context: RequestContext): Promise<MountedSkill | undefined> {
    return once(context, pattern, () => resolve(root, context), root)
  }

  async function resolve(root: string, context: RequestContext): Promise<MountedSkill | undefined> {
    const params = paramsOf(root) as RouteParams<Path>
    const what = `the route ${path}`
    const given = await stateOf(context).gate(
      () => callApp(context, what, (context) => handler(params, context), timeoutMs),
      context.signal,
    )
    if (given === null || given === undefined) return undefined
    const blueprint = blueprintOf(given)
    if (!blueprint) return malformed(context, `${what} gave what is neither null nor a defined skill`)
    const name = root.slice(root.lastIndexOf('/') + 1)
    if (blueprint.frontmatter.name !== name)
      return malformed(context, `${what} gave "${blueprint.frontmatter.name}" at ${root}`)
    const hasVersion = blueprint.version ?? version
    return mount(blueprint, root, {
      owner: pattern,
      stable: blueprint.stable ?? stable ?? false,
      hints: placementHints(blueprint, options),
      ...(hasVersion && {
        version: (context) =>
          once(context, blueprint, () =>
            callApp(
              context,
              `the version of ${what}`,
              (context) => blueprint.version?.(context) ?? version!(params, context),
              timeoutMs,
            ),
          ),
      }),
    })
  }

  async function at<T>(
    uri: string,
    context: RequestContext,
    use: (skill: MountedSkill) => MaybePromise<T>,
  ): Promise<T | undefined> {
    const root = rootAround(uri)
    const skill = root && (await skillAt(root, context))
    return skill ? use(skill) : undefined
  }

  const isSkill = (uri: string): boolean => uri.endsWith(SKILL_MD) && rootAround(uri) === rootOf(uri)

  return computedSource(
    {
      list: async (after, limit, context) =>
        hasParams || after >= root + SKILL_MD || limit < 1
          ? NOTHING
          : listOne(async (context) => (await skillAt(root, context))?.get(context), context),
      get: async (uri, context) =>
        isSkill(uri) ? at(uri, context, (skill) => skill.get(context)) : undefined,
      read: (uri, context) => at(uri, context, (skill) => skill.read(uri, context)),
      readDirectory: (uri, context) => at(uri, context, (skill) => skill.readDirectory(uri, context)),
    },
    {
      ...(hasParams
        ? { patterns: [pattern] }
        : // A skill may yet say otherwise.
          { roots: [root], isDynamic: () => (stable === undefined ? undefined : !stable) }),
      peek: (uri, context) => (isSkill(uri) ? at(uri, context, (skill) => skill.summary) : undefined),
    },
  )
}

function isParam(segment: string): boolean {
  return segment.startsWith(':')
}

/** Checked as a path in which every param stands for a segment. */
function checkPattern(path: string, pattern: readonly string[]): void {
  if (isParam(path)) throw new TypeError(`The first segment of the route "${path}" cannot be a param`)
  const names = pattern.filter(isParam).map((part) => part.slice(1))
  const bad = names.find((name) => !/^[a-z_]\w*$/i.test(name))
  if (bad !== undefined)
    throw new TypeError(`The route "${path}" has a param without a proper name, ":${bad}"`)
  if (new Set(names).size < names.length) throw new TypeError(`The route "${path}" has a param twice`)
  rootAt(pattern.map((part) => (isParam(part) ? 'x' : part)).join('/'))
}
