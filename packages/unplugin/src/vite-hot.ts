import { hash } from 'node:crypto'
import type { DevEnvironment, Environment, EnvironmentModuleNode } from 'vite'
import type { Session } from './session.ts'

/** What the environments of a dev server were given last: an edit concerns those that would get something else. */
export interface Given {
  /** Without code: there is none yet, or there was an error. */
  remember(environment: Environment, id: string, code?: string): void
  /** The modules of ours that an environment has to ask for again. */
  staleModules(environment: DevEnvironment): Promise<EnvironmentModuleNode[]>
}

export function createGiven(session: Session): Given {
  // Hashes by module.
  const given = new WeakMap<Environment, Map<string, string>>()
  const codesOf = (environment: Environment): Map<string, string> => {
    const codes = given.get(environment) ?? new Map<string, string>()
    given.set(environment, codes)
    return codes
  }
  return {
    remember(environment, id, code) {
      codesOf(environment).set(id, code === undefined ? '' : hash('sha256', code))
    },
    async staleModules(environment) {
      const codes = codesOf(environment)
      const nodes = [...environment.moduleGraph.idToModuleMap.values()].filter(({ id }) => codes.has(id!))
      const hashes = await Promise.all(nodes.map(({ id }) => hashOf(session, id!)))
      const stale = nodes.filter(({ id }, index) => {
        const now = hashes[index]
        return codes.has(id!) && (now === undefined || codes.get(id!) !== now)
      })
      for (const node of stale) {
        // Until it is asked for, the next edit does not concern it.
        codes.delete(node.id!)
        // A hot update alone would let Vite keep what it is loading right now, from before the edit.
        environment.moduleGraph.invalidateModule(node)
      }
      return stale
    },
  }
}

/** The hash of a module as it is now; undefined if asking for it is an error. */
async function hashOf(session: Session, id: string): Promise<string | undefined> {
  try {
    const { code, error, unknown } = await session.load(id, { dev: true })
    return error || unknown ? undefined : hash('sha256', code)
  } catch {
    // Whoever asks for it is told.
    return undefined
  }
}
