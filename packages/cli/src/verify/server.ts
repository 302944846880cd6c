import type { VerifiedSkill, VerifyProblem } from '@embed-skills/client'
import { lockFile, readLock } from '@embed-skills/compiler'
import type { Arguments, Io } from '../command.ts'
import { UsageError } from '../command.ts'
import { count } from '../count.ts'
import { usage } from '../project.ts'
import { oneLine, serverOf, withServer } from '../server.ts'

/** `embed-skills verify <url or command>`: 0 if all is as it says, 1 if anything differs, 2 if there is no answer. */
export async function verifyServer(args: Arguments, io: Io): Promise<number> {
  const server = serverOf(args)
  if (server.others.length)
    throw new UsageError(`Only one server is verified at a time: ${server.others.join(' ')}`)
  const { verifyServer } = await import('@embed-skills/client')
  const given = args.values['lock'] as string | undefined
  const lock = given === undefined ? undefined : await usage(() => readLock(lockFile(io.cwd, given)))
  return withServer(server, io, async ({ client }, io, signal) => {
    const { skills, problems } = await verifyServer(client, {
      ...(lock && { lock }),
      signal,
      ignoreUnlocked: args.values['ignore-unlocked'] === true,
      onSkill: (skill) => io.progress?.(`${skill.uri}: ${skill.files} files`),
    })
    io.progress?.('')
    if (args.values['format'] === 'json') {
      io.out(JSON.stringify({ skills, problems, lock: given ?? null }, null, 2))
      return problems.length ? 1 : 0
    }
    for (const skill of skills) io.out(describeSkill(skill))
    for (const problem of problems) io.out(describeProblem(problem))
    const files = skills.reduce((sum, skill) => sum + skill.files, 0)
    const counts = `${count(skills.length, 'skill')}, ${count(files, 'file')}${lock ? ', compared with the lock' : ''}`
    io.out(`\n${counts}: ${problems.length ? count(problems.length, 'difference') : 'all as listed'}`)
    return problems.length ? 1 : 0
  })
}

function describeSkill({ uri, files, bytes, dynamic, problems }: VerifiedSkill): string {
  const state = problems.length ? 'DIFFERS' : dynamic ? 'dynamic, not verified' : 'verified'
  return oneLine(`${uri}  ${count(files, 'file')}, ${count(bytes, 'byte')}  ${state}`)
}

function describeProblem({ skill, file, field, message }: VerifyProblem): string {
  const lines = [skill, ...(file === undefined ? [] : [`  ${file}`]), `  ${field}: ${message}`]
  return `\n${lines.map(oneLine).join('\n')}`
}
