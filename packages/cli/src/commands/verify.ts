import type { Command } from '../command.ts'
import { UsageError } from '../command.ts'
import { namesServer, SERVER_DETAILS, SERVER_OPTIONS, SERVER_USAGE } from '../server.ts'

const FORMATS = ['pretty', 'json']

const verify: Command = {
  summary: 'Compares a written bundle or a deployed server with its digests.',
  usage: `verify <bundle files or folders...> | ${SERVER_USAGE}`,
  details: `  files or folders       of a bundle that is written
${SERVER_DETAILS}
      --lock <file>      the lock to compare with. A bundle is compared with the project's own,
                         skills.lock.json, where there is one; a server with none
      --no-lock          compare a bundle with no lock
      --ignore-unlocked  skills that the lock does not have are no differences
      --format <name>    ${FORMATS.join(', ')}; pretty by default`,
  ends: '0 if nothing differs, 1 if something does',
  options: {
    ...SERVER_OPTIONS,
    lock: { type: 'string' },
    'no-lock': { type: 'boolean' },
    'ignore-unlocked': { type: 'boolean' },
    format: { type: 'string', default: 'pretty' },
  },
  async run(args, io) {
    const { lock, 'no-lock': noLock, format } = args.values
    if (!FORMATS.includes(String(format))) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`)
    if (lock !== undefined && noLock) throw new UsageError('Write --lock or --no-lock, not both')
    if (namesServer(args)) return (await import('../verify/server.ts')).verifyServer(args, io)
    return (await import('../verify/bundle.ts')).verifyBundle(args, io)
  },
}
export default verify
