import { parseArgs } from 'node:util'
import type { Arguments, Command, Io } from './command.ts'
import { UsageError } from './command.ts'

const commands: Record<string, () => Promise<{ default: Command }>> = {
  check: () => import('./commands/check.ts'),
  explain: () => import('./commands/explain.ts'),
  lock: () => import('./commands/lock.ts'),
  serve: () => import('./commands/serve.ts'),
  build: () => import('./commands/build.ts'),
  types: () => import('./commands/types.ts'),
  pull: () => import('./commands/pull.ts'),
  verify: () => import('./commands/verify.ts'),
}

/** Runs one command line, less `node` and the script. Gives the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h') {
    io.out(await overview())
    return name === undefined ? 2 : 0
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) {
    io.err(`There is no command "${name}".\n\n${await overview()}`)
    return 2
  }
  const { default: command } = await load()
  try {
    const args = parse(command, rest)
    if (args.values['help']) {
      io.out(help(command))
      return 0
    }
    return await command.run(args, io)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    io.err(`${error.message}\n\n  embed-skills ${command.usage}\n\nembed-skills ${name} --help says more.`)
    return 2
  }
}

function parse({ options }: Command, args: string[]): Arguments {
  const dashes = args.indexOf('--')
  try {
    const parsed = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    return { ...parsed, afterDashes: dashes < 0 ? [] : args.slice(dashes + 1) }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function help({ summary, usage, details }: Command): string {
  return `${summary}\n\n  embed-skills ${usage}${details === undefined ? '' : `\n\n${details}`}`
}

async function overview(): Promise<string> {
  const lines = await Promise.all(
    Object.values(commands).map(async (load) => {
      const { summary, usage } = (await load()).default
      return `  embed-skills ${usage}\n      ${summary}`
    }),
  )
  return `Checks Agent Skills, and compiles them into modules.\n\n${lines.join('\n')}`
}
