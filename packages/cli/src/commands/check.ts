import type { CompileResult } from '@embed-skills/compiler'
import { compile } from '@embed-skills/compiler'
import { cacheFile, openCache } from '../cache.ts'
import type { Arguments, Command, Io } from '../command.ts'
import { UsageError } from '../command.ts'
import { formats } from '../formats/format.ts'
import type { Project } from '../project.ts'
import { projectDetails, projectOptions, resolveProject, usage } from '../project.ts'

const check: Command = {
  summary: 'Reports everything in skill folders that a host would refuse.',
  usage: 'check [globs...] [--fix] [--format <name>]',
  ends: '0 if there is no error, 1 if there is one or too many warnings',
  details: `${projectDetails}
      --fix              put missing quotes into frontmatter, and show the diff
      --format <name>    ${Object.keys(formats).join(', ')}; pretty by default
      --max-warnings <n> end with 1 if there are more
      --quiet            errors alone
      --cache <file>     where to remember findings, instead of node_modules/.cache
      --no-cache         remember none`,
  options: {
    ...projectOptions,
    fix: { type: 'boolean' },
    format: { type: 'string', default: 'pretty' },
    'max-warnings': { type: 'string' },
    quiet: { type: 'boolean' },
    cache: { type: 'string' },
    'no-cache': { type: 'boolean' },
  },
  async run(args, io) {
    const { values } = args
    const load = Object.hasOwn(formats, String(values['format']))
      ? formats[String(values['format'])]
      : undefined
    if (!load) throw new UsageError(`--format is one of ${Object.keys(formats).join(', ')}`)
    const most = maxWarnings(values['max-warnings'])
    const project = await resolveProject(args, io, "embed-skills check 'skills/*'")
    const { root } = project

    let result = await compileCached(project, args)
    if (values['fix'] === true) result = await fixAll(result, () => compileCached(project, args), project, io)

    const { default: format } = await load()
    const shown = values['quiet'] === true ? { ...result, diagnostics: only(result, 'error') } : result
    const text = format(shown, { root, colour: io.isTerminal })
    if (text !== '') io.out(text)

    const warnings = only(result, 'warning').length
    if (warnings > most) io.err(`${warnings} warnings are more than --max-warnings ${most} allows.`)
    return only(result, 'error').length > 0 || warnings > most ? 1 : 0
  },
}
export default check

/** Frontmatter that cannot be read hides what else is wrong with it: a second round sees it. */
const ROUNDS = 3

async function fixAll(
  result: CompileResult,
  again: () => Promise<CompileResult>,
  { root }: Project,
  io: Io,
): Promise<CompileResult> {
  const { fixFiles } = await import('../fix-files.ts')
  let current = result
  for (let round = 0; round < ROUNDS; round++) {
    const fixed = await fixFiles(current.diagnostics, root)
    if (fixed.length === 0) break
    // Whatever is printed in a format for programs stays one document.
    for (const { diff } of fixed) io.err(`${diff}\n`)
    current = await again()
  }
  return current
}

async function compileCached(
  { sources, options, root }: Project,
  { values }: Arguments,
): Promise<CompileResult> {
  const file = values['no-cache'] === true ? undefined : ((values['cache'] as string) ?? cacheFile(root))
  const cache = file === undefined ? undefined : openCache(file)
  const result = await usage(() => compile(sources, { ...options, ...(cache && { cache }) }))
  cache?.save()
  return result
}

function only({ diagnostics }: CompileResult, severity: string): CompileResult['diagnostics'] {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity)
}

function maxWarnings(value: unknown): number {
  if (value === undefined) return Infinity
  if (typeof value !== 'string' || !/^\d+$/.test(value))
    throw new UsageError('--max-warnings is a number: 0, 10')
  return Number(value)
}
