import path from 'node:path'
import type { SkillHost } from '@embed-skills/client'
import type { SyncedSkill, SyncOptions } from '@embed-skills/client/node'
import type { Command, Io } from '../command.ts'
import { UsageError } from '../command.ts'
import { oneLine, SERVER_DETAILS, SERVER_OPTIONS, SERVER_USAGE, serverOf, withServer } from '../server.ts'

const pull: Command = {
  summary: 'Downloads the skills of a server, verified, into a folder.',
  usage: `pull [skills...] --out <folder> ${SERVER_USAGE}`,
  details: `  skills                 names or URIs; without, all of the server are downloaded
${SERVER_DETAILS}
  -o, --out <folder>     where they go
      --label <name>     the folder in it for this server, instead of one by its host name or command
      --install          into a folder that agents read, such as .claude/skills
      --force            overwrites files that were changed by hand
      --unsafe-names     writes names that Windows cannot hold, and hidden ones`,
  ends: '0 if all went well, 1 if a skill failed',
  options: {
    ...SERVER_OPTIONS,
    out: { type: 'string', short: 'o' },
    label: { type: 'string' },
    install: { type: 'boolean' },
    force: { type: 'boolean' },
    'unsafe-names': { type: 'boolean' },
  },
  async run(args, io) {
    const server = serverOf(args)
    const { out, label: given, install, force, 'unsafe-names': unsafeNames } = args.values
    if (typeof out !== 'string') throw new UsageError('Say where to write: --out vendor/skills')
    const { SkillHost } = await import('@embed-skills/client')
    return withServer(server, io, async ({ client, identity, label: own }, io, signal) => {
      const host = new SkillHost()
      const label = typeof given === 'string' ? given : own
      const { error, supported, invalid } = await host.addServer(label, client, { identity, signal })
      if (error) throw error
      if (!supported) throw new Error('The server does not declare the Skills extension.')
      for (const { uri, reason } of invalid) io.err(oneLine(`${uri ?? 'A skill'} is left out: ${reason}`))
      const synced = await download(host, label, server.others, {
        to: path.resolve(io.cwd, out),
        install: install === true,
        force: force === true,
        unsafeNames: unsafeNames === true,
        signal,
        onProgress: ({ skill, done, total }) => io.progress?.(`${skill.uri}: ${done} of ${total} files`),
      })
      io.progress?.('')
      const { error: late } = host.servers()[0]!
      if (late) throw late
      for (const skill of synced) report(skill, io)
      return invalid.length || synced.some(({ state }) => state === 'failed') ? 1 : 0
    })
  },
}
export default pull

/** All skills of the server, with those removed that it has no more; or the named ones. */
async function download(
  host: SkillHost,
  label: string,
  names: readonly string[],
  options: SyncOptions,
): Promise<SyncedSkill[]> {
  const { downloadSkill, syncSkills } = await import('@embed-skills/client/node')
  if (!names.length) return syncSkills(host, options)
  const synced: SyncedSkill[] = []
  // Found first, so that a wrong name is told before anything is written.
  const skills = []
  for (const name of names) skills.push(await host.find(label, name, options))
  for (const skill of skills) synced.push(await downloadSkill(host, skill, options))
  return synced
}

function report(
  { skill, folder, state, written, kept, removed, warnings, error }: SyncedSkill,
  io: Io,
): void {
  const where = path.relative(io.cwd, folder) || folder
  const counts = [`${written} written`, `${kept} kept`, ...(removed ? [`${removed} removed`] : [])].join(', ')
  if (error) io.err(oneLine(`${skill.uri} failed: ${error.message}`))
  else io.out(oneLine(`${skill.uri}  ${state}  ${where} (${counts})`))
  for (const warning of warnings) io.err(oneLine(`warning: ${warning}`))
}
