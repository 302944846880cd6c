import { parseArgs } from 'node:util'
import type { Arguments, Command, Io } from './command.ts'
import { UsageError } from './command.ts'
import { systemReason } from './system-reason.ts'
import { version } from './version.ts'

const commands: Record<string, () => Promise<{ default: Command }>> = {
  check: () => import('./commands/check.ts'),
  build: () => import('./commands/build.ts'),
  types: () => import('./commands/types.ts'),
  lock: () => import('./commands/lock.ts'),
  serve: () => import('./commands/serve.ts'),
  explain: () => import('./commands/explain.ts'),
  pull: () => import('./commands/pull.ts'),
  verify: () => import('./commands/verify.ts'),
}

/** Runs one command line, less `node` and the script. Gives the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === 'help') return main([...argv.slice(1), '--help'], io)
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h') {
    io.out(await overview())
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-v') {
    io.out(version())
    return 0
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) {
    io.err(await unknownCommand(name))
    return 2
  }
  const { default: command } = await load()
  try {
    const args = await parse(command, rest)
    if (args.values['help']) {
      io.out(help(command))
      return 0
    }
    return await command.run(args, io)
  } catch (error) {
    if (error instanceof UsageError) {
      io.err(`${error.message}\n\n  embed-skills ${command.usage}\n\nembed-skills ${name} --help says more.`)
      return 2
    }
    const reason = systemReason(error, io.cwd)
    if (reason === undefined) throw error
    io.err(reason)
    return 2
  }
}

async function parse({ options }: Command, args: string[]): Promise<Arguments> {
  const all = { ...options, help: { type: 'boolean', short: 'h' } } as const
  const dashes = args.indexOf('--')
  try {
    const parsed = parseArgs({ args, options: all, allowPositionals: true })
    return { ...parsed, afterDashes: dashes < 0 ? [] : args.slice(dashes + 1) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? []
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || unknown === undefined) throw new UsageError(message)
    const { nearest } = await import('@embed-skills/compiler')
    const [meant] = nearest(unknown.replace(/^-+/, ''), Object.keys(all))
    throw new UsageError(`There is no option ${unknown}. Is --${meant} meant?`)
  }
}

function help({ summary, usage, details, ends }: Command): string {
  const options = [...(details === undefined ? [] : [details]), '  -h, --help             prints this']
  return `${summary}

  embed-skills ${usage}

${options.join('\n')}

Ends with ${ends}, 2 if it cannot do what it is called for.`
}

async function overview(): Promise<string> {
  const lines = await Promise.all(
    Object.entries(commands).map(
      async ([name, load]) => `  ${name.padEnd(8)} ${(await load()).default.summary}`,
    ),
  )
  return `Checks Agent Skills, and compiles them into modules.

  embed-skills <command>

${lines.join('\n')}

embed-skills <command> --help says more, --version prints the version.`
}

async function unknownCommand(name: string): Promise<string> {
  const more = 'embed-skills --help lists the commands.'
  if (name.startsWith('-')) return `The command comes first, ahead of ${name}. ${more}`
  const { nearest } = await import('@embed-skills/compiler')
  return `There is no command "${name}". Is ${nearest(name, Object.keys(commands))[0]} meant? ${more}`
}
