import path from 'node:path'
import type { Output } from '@embed-skills/compiler'
import type { Plugin } from 'vite'
import type { Session } from './session.ts'
import { TYPES_FILE, typesOutput, writeTypes } from './types-file.ts'

/** What a plugin of a set tells those of other sets, and `embed-skills types`. */
export interface TypesApi {
  readonly session: Session
  /** Globs from the root that the macro was called with. */
  readonly globs: Set<string>
  /** The file as it should be, of all plugins together; `undefined` while a skill has an error. */
  output(): Promise<Output | undefined>
}

/** Whether a plugin has nothing to tell. */
async function isSilent({ session, globs }: TypesApi): Promise<boolean> {
  return session.options.types === false || (!globs.size && !(await session.main()))
}

/** Keeps `embed-skills.d.ts` as it should be, in dev and in builds. All sets share one file. */
export function typesPlugin(session: Session): Plugin<{ embedSkills: TypesApi }> {
  let root = process.cwd()
  let all: readonly TypesApi[] = []
  const api: TypesApi = {
    session,
    globs: new Set(),
    async output() {
      const named = all.map((peer) => peer.session.options.types).find((name) => typeof name === 'string')
      const typed = all.filter((peer) => peer.session.options.types !== false)
      const sets = await Promise.all(typed.map((peer) => peer.session.main()))
      return typesOutput(
        path.resolve(root, named ?? TYPES_FILE),
        { ...(await session.compileOptions()), root: session.root },
        sets.filter((set) => set !== undefined),
        typed.flatMap((peer) => [...peer.globs]),
      )
    },
  }

  async function write(warn: (message: string) => void): Promise<void> {
    // The first plugin writes for all.
    if (all[0] !== api) return
    try {
      if ((await Promise.all(all.map(isSilent))).every(Boolean)) return
      const output = await api.output()
      if (output) await writeTypes(output)
    } catch (error) {
      // Nothing that is built depends on it, and the folder may be one to read from alone.
      warn(`The types of skills were not written: ${(error as Error).message}`)
    }
  }

  return {
    name: 'embed-skills:types',
    api: { embedSkills: api },
    configResolved(config) {
      root = config.root
      all = config.plugins.flatMap(({ api }) => (api as { embedSkills?: TypesApi })?.embedSkills ?? [])
    },
    buildStart() {
      return write((message) => this.warn(message))
    },
    async buildEnd() {
      if (all.some(({ globs }) => globs.size)) await write((message) => this.warn(message))
    },
    hotUpdate: {
      async handler({ file }) {
        if (all.some((peer) => peer.session.concerns(file)))
          await write((message) => this.environment.logger.warn(message))
      },
    },
  }
}
