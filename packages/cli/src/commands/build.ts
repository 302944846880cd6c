import type { WatchTargets } from '@embed-skills/compiler'
import type { BuildOptions } from '../build/options.ts'
import type { Arguments, Command, Io } from '../command.ts'
import { buildOnce } from '../build/build-once.ts'
import { resolveBuildOptions } from '../build/options.ts'
import { UsageError } from '../command.ts'
import { projectDetails, projectOptions } from '../project.ts'
import { watchFolders } from '../watch.ts'

const build: Command = {
  summary: 'Writes skills as a module, for where no bundler plugin runs.',
  usage:
    'build [globs...] --out <file> [--content inline|chunks|pack] [--encoding utf8|base64] [--watch | --check]',
  ends: '0 if all is written, 1 if a skill has an error, or with --check if a file is stale',
  details: `${projectDetails}
  -o, --out <file>       .ts, .mts, .js or .mjs
      --content <how>    inline (by default below 1 MiB), chunks, or pack
      --encoding <how>   utf8, or base64 where other tools rewrite code as text
  -w, --watch            builds again after every change
      --check            writes nothing; ends with 1 if a file on disk is not what it would write`,
  options: {
    ...projectOptions,
    out: { type: 'string', short: 'o' },
    content: { type: 'string' },
    encoding: { type: 'string' },
    watch: { type: 'boolean', short: 'w' },
    check: { type: 'boolean' },
  },
  async run(args, io) {
    const options = resolveBuildOptions(args, io)
    if (!options.isWatching) return (await buildOnce(args, options, io)).code
    const stop = new AbortController()
    const interrupt = (): void => stop.abort()
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    await watchFolders(mendable(args, options, io), stop.signal)
    return 0
  },
}
export default build

/** A build for each change. What is wrong with the configuration is said, and mended in the next one. */
function mendable(args: Arguments, options: BuildOptions, io: Io): () => Promise<WatchTargets> {
  let last: WatchTargets | undefined
  return async () => {
    try {
      last = (await buildOnce(args, options, io)).watch
    } catch (error) {
      if (!last || !(error instanceof UsageError)) throw error
      io.err(`${error.message}\n${options.out} is left as it was`)
    }
    return last
  }
}
