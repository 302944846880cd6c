import type { Command } from '../command.ts'
import { UsageError } from '../command.ts'
import { namesServer, SERVER_OPTIONS, SERVER_USAGE } from '../server.ts'

const verify: Command = {
  summary: 'Reads a deployed server completely and compares it with its own manifests, and with a lock.',
  usage: `verify [--lock skills.lock.json] [--ignore-unlocked] ${SERVER_USAGE}`,
  options: { ...SERVER_OPTIONS, lock: { type: 'string' }, 'ignore-unlocked': { type: 'boolean' } },
  async run(args, io) {
    if (namesServer(args)) return (await import('./verify-server.ts')).verifyServer(args, io)
    throw new UsageError('Name a server: its URL, or after -- the command that starts it.')
  },
}
export default verify
