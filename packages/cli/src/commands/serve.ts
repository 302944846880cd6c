import { compile, compiledSet, formatDiagnostic, summarize } from '@embed-skills/compiler'
import { serveSkills } from '@embed-skills/runtime/fetch'
import type { Command } from '../command.ts'
import { UsageError } from '../command.ts'
import { count as counted } from '../count.ts'
import { holdTemplates, projectDetails, projectOptions, resolveProject, usage } from '../project.ts'
import { version } from '../version.ts'

const serve: Command = {
  summary: 'Serves skill folders as an MCP server, to try them with any client.',
  usage: 'serve [globs...] [--http <port>]',
  ends: '0 when the client is done, 1 if there is no skill without errors',
  details: `${projectDetails}
      --http <port>      on 127.0.0.1 instead of stdin and stdout; 0 takes a free port
      --name <name>      what the server calls itself; embed-skills by default`,
  options: { ...projectOptions, http: { type: 'string' }, name: { type: 'string', default: 'embed-skills' } },
  async run(args, io) {
    const { values } = args
    const port = portOf(values['http'])
    const { sources, options, root } = await resolveProject(args, io, "embed-skills serve 'skills/*'")
    const { skills, templates, diagnostics } = await usage(() => compile(sources, options))
    // On stdout there is nothing but the protocol.
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity !== 'info') io.err(`${formatDiagnostic(diagnostic, { root })}\n`)
    }
    if (templates.length > 0)
      io.err(
        `${holdTemplates(templates)}: what they say depends on data, which only a route of your app gives them, so that they are not served here.\n`,
      )
    const count = [`Serving ${counted(skills.length, 'skill')}`, summarize(diagnostics)]
      .filter(Boolean)
      .join('; ')
    if (skills.length === 0) {
      io.err(
        templates.length > 0
          ? 'There is no other skill to serve.'
          : 'There is no skill without errors to serve.',
      )
      return 1
    }
    const onError = (error: unknown): void => io.err(String(error instanceof Error ? error.stack : error))
    const server = serveSkills(
      compiledSet(skills),
      { name: String(values['name']), version: version() },
      { onError },
    )
    if (port === undefined) {
      io.err(`${count} on stdin and stdout`)
      const { serveStdio } = await import('../serve/stdio.ts')
      await serveStdio(server, process.stdin, process.stdout)
    } else {
      const { serveHttp } = await import('../serve/http.ts')
      await serveHttp(server, port, (url) => io.err(`${count} at ${url}`)).catch(({ code, message }) => {
        const inUse = code === 'EADDRINUSE' ? `Port ${port} is in use` : message
        throw new UsageError(`${inUse}: choose another with --http, or 0 for any that is free`)
      })
    }
    return 0
  },
}
export default serve

function portOf(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const port = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (!(port <= 65_535)) throw new UsageError('--http is a port: 3000, or 0 for any that is free')
  return port
}
