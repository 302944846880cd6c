import type { Params } from '../catalog.ts'
import type { Feature, Method } from '../methods.ts'
import type { RequestContext } from '../source.ts'
import type { Skill } from '../wire.ts'
import type { ProtocolError } from '../errors.ts'
import { INVALID_PARAMS, notFound } from '../errors.ts'
import { canonicalUri, ROOT, SKILL_MD } from '../uri.ts'
import { everySkill, fileOf, NOT_KEPT, pathOf } from './every-skill.ts'

const MANIFEST = '/_manifest'
const TEMPLATE = 'skill://{name}/{+path}'

/** The most values that a completion may hold (a MUST of the protocol). */
const MOST = 100

/**
 * The convention of older clients: a manifest at `skill://<path>/_manifest` for each skill, a resource
 * template for its files, and completion of both parts of the template.
 *
 * @example
 * serveSkills(skills, info, { features: [manifests()] })
 */
export function manifests(): Feature {
  return ({ catalog, methods, capabilities }) => {
    capabilities['completions'] ??= {}
    const read = methods.get('resources/read')!
    const list = methods.get('resources/list')!

    async function manifest(uri: unknown, context: RequestContext): Promise<object> {
      const known = canonicalUri(uri)
      if (!known.endsWith(MANIFEST)) return notFound(uri)
      const { skill, ...hints } = await catalog.get(
        { uri: known.slice(0, -MANIFEST.length) + SKILL_MD },
        context,
      )
      if (skill.resources === 'dynamic') return notFound(uri)
      const files = skill.resources.map(({ uri, size, digest }) => ({
        path: fileOf(skill, uri),
        size,
        hash: digest,
      }))
      const text = JSON.stringify({ skill: skill.frontmatter.name, files }, undefined, 2)
      return { ...hints, contents: [{ uri: known, mimeType: 'application/json', text }] }
    }

    methods.set('resources/read', async (params, context) => {
      try {
        // A file of that name is a file, and one that fails is there.
        return await read(params, context)
      } catch (error) {
        if ((error as ProtocolError).code !== INVALID_PARAMS) throw error
        return manifest(params.uri, context)
      }
    })
    methods.set('resources/list', async (params, context) => {
      const { resources, ...page } = (await list(params, context)) as {
        resources: { uri: string; name: string }[]
      }
      const all = resources.flatMap((resource) =>
        resource.uri.endsWith(SKILL_MD)
          ? [
              resource,
              {
                uri: resource.uri.slice(0, -SKILL_MD.length) + MANIFEST,
                name: `${resource.name}${MANIFEST}`,
                description: `The files of the skill ${resource.name}`,
                mimeType: 'application/json',
              },
            ]
          : resource,
      )
      return { resources: all, ...page }
    })
    methods.set('resources/templates/list', async () => ({
      resourceTemplates: [
        {
          uriTemplate: TEMPLATE,
          name: 'skill-file',
          title: 'A file of a skill',
          description: 'By skill and path',
        },
      ],
    }))

    const complete: Method = async ({ ref, argument, context: given }, context) => {
      const { name, value } = Object(argument) as { name?: unknown; value?: unknown }
      if (!isTemplate({ ref })) return notFound(Object(ref).uri)
      const start = typeof value === 'string' ? value : ''
      const values = new Set<string>()
      for await (const skill of everySkill(catalog, context))
        for (const found of name === 'name' ? [pathOf(skill).split('/')[0]!] : pathsOf(skill, Object(given)))
          if (found.startsWith(start)) values.add(found)
      const all = [...values]
      const completion = { values: all.slice(0, MOST), total: all.length, hasMore: all.length > MOST }
      return { completion, ...NOT_KEPT }
    }
    methods.set('completion/complete', Object.assign(complete, { owns: isTemplate }))
  }
}

function isTemplate({ ref }: Params): boolean {
  return Object(ref).uri === TEMPLATE
}

/** The values of `path` in the template for the files of a skill, if it is below the `name` given. */
function pathsOf(skill: Skill, { arguments: given }: { arguments?: { name?: unknown } }): string[] {
  if (typeof given?.name !== 'string') return []
  const root = `${ROOT}${given.name}/`
  const uris = skill.resources === 'dynamic' ? [skill.uri] : skill.resources.map(({ uri }) => uri)
  return uris.filter((uri) => uri.startsWith(root)).map((uri) => uri.slice(root.length))
}
