import type { Session } from './session.ts'

/** The plugins of each build, by whatever object all plugins of a build are given. */
const builds = new WeakMap<object, Set<Session>>()

/**
 * Takes a plugin's id for it. Of two plugins with one id, or with ids below one another, only the first would be asked.
 *
 * @param build The same object for all plugins of a build.
 * @throws TypeError if another plugin has the id.
 */
export function claimId(build: object, session: Session): void {
  const sessions = builds.get(build) ?? new Set()
  builds.set(build, sessions.add(session))
  const { id, config } = session.options
  // There for the macro alone.
  if (config.from === undefined) return
  for (const other of sessions) {
    if (other === session || other.options.config.from === undefined) continue
    if (other.options.id === id)
      throw new TypeError(
        `embed-skills: two plugins have the id "${id}". Give one of them another: embedSkills({ id: 'virtual:admin-skills', from: … }), or make it one plugin: embedSkills(['skills/*', …])`,
      )
    const [outer, inner] = [other.options.id, id].toSorted((a, b) => a.length - b.length)
    if (inner!.startsWith(`${outer}/`))
      throw new TypeError(
        `embed-skills: the id "${inner}" is where "${outer}" has a skill. Choose one that does not begin with "${outer}/"`,
      )
  }
}
