import type { Params } from '../catalog.ts'
import type { Feature } from '../methods.ts'
import type { ProtocolError } from '../errors.ts'
import { INVALID_PARAMS, refuse } from '../errors.ts'
import { ROOT, SKILL_MD } from '../uri.ts'
import { NOT_KEPT, pathOf } from './every-skill.ts'

/**
 * A prompt for each listed skill, for hosts that show prompts as commands. Its name is the path of the
 * skill, its text the `SKILL.md`.
 *
 * @example
 * serveSkills(skills, info, { features: [prompts()] })
 */
export function prompts(): Feature {
  return ({ catalog, methods, capabilities }) => {
    capabilities['prompts'] ??= {}
    methods.set('prompts/list', async (params, context) => {
      const { skills, ...page } = await catalog.list(params, context)
      const listed = skills.map((skill) => ({
        name: pathOf(skill),
        title: skill.frontmatter.name,
        description: skill.frontmatter.description,
      }))
      return { ...page, prompts: listed }
    })
    const get = async ({ name }: Params, context: object): Promise<object> => {
      if (typeof name !== 'string') refuse(INVALID_PARAMS, 'The name of a prompt is missing')
      const { skill } = await catalog.get({ uri: uriOf(name) }, context)
      const { contents } = await catalog.read({ uri: skill.uri }, context)
      const { text } = contents[0] as { text: string }
      return {
        description: skill.frontmatter.description,
        messages: [{ role: 'user', content: { type: 'text', text } }],
        ...NOT_KEPT,
      }
    }
    const owns = async ({ name }: Params, context: object): Promise<boolean> => {
      if (typeof name !== 'string') return false
      try {
        return Boolean(await catalog.get({ uri: uriOf(name) }, context))
      } catch (error) {
        // One that fails is ours.
        return (error as ProtocolError).code !== INVALID_PARAMS
      }
    }
    methods.set('prompts/get', Object.assign(get, { owns }))
  }
}

/** The skill behind a prompt. */
function uriOf(name: string): string {
  return ROOT + name + SKILL_MD
}
