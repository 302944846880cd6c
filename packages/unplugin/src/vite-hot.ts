import type { DevEnvironment, Environment, EnvironmentModuleNode } from 'vite'
import { versionOf } from './compilation.ts'
import type { Session } from './session.ts'

/** The modules that a dev server has given out. */
export interface GivenModules {
  /** Notes what an environment gets: code, or nothing since there was an error. */
  note(environment: Environment, id: string, code?: string): void
  /** The modules that an environment has to ask for again. */
  stale(environment: DevEnvironment): Promise<EnvironmentModuleNode[]>
}

/** Knows what each environment was given last: an edit concerns those that would get something else. */
export function createGivenModules(session: Session): GivenModules {
  const given = new WeakMap<Environment, Map<string, string>>()
  const versionsOf = (environment: Environment): Map<string, string> => {
    const versions = given.get(environment) ?? new Map<string, string>()
    given.set(environment, versions)
    return versions
  }

  return {
    note(environment, id, code) {
      versionsOf(environment).set(id, code === undefined ? '' : versionOf(code))
    },
    async stale(environment) {
      const versions = versionsOf(environment)
      const stale: EnvironmentModuleNode[] = []
      for (const [id, node] of environment.moduleGraph.idToModuleMap) {
        if (!versions.has(id)) continue
        const version = await session.version(id, { dev: true })
        // Another change may have made it stale by now.
        if (!versions.has(id) || (version !== '' && version === versions.get(id))) continue
        stale.push(node)
        // Until it is asked for, the next edit does not concern it.
        versions.delete(id)
        // A hot update alone would let Vite keep what it is loading right now, from before the edit.
        environment.moduleGraph.invalidateModule(node)
      }
      return stale
    },
  }
}
