import path from 'node:path'
import type { CompiledSkill } from '@embed-skills/compiler'
import {
  checkLock,
  formatChanges,
  hasTemplates,
  isUnchanged,
  lockFile,
  summarizeChanges,
  writeLock,
} from '@embed-skills/compiler'
import type { Command } from '../command.ts'
import { UsageError } from '../command.ts'
import { count } from '../count.ts'
import {
  holdTemplates,
  projectDetails,
  projectOptions,
  resolveProject,
  soundSkills,
  usage,
} from '../project.ts'

const FORMATS = ['pretty', 'github', 'json']

const lock: Command = {
  summary: 'Records the digests of all files, or says which approvals would end.',
  usage: 'lock [--check] [globs...]',
  ends: '0 if all is written or as locked, 1 if a skill differs or has an error',
  details: `${projectDetails}
      --check            compare instead of writing, and end with 1 if a skill differs
      --file <name>      instead of skills.lock.json
      --format <name>    ${FORMATS.join(', ')}: github is Markdown, for >> "$GITHUB_STEP_SUMMARY"`,
  options: {
    ...projectOptions,
    check: { type: 'boolean' },
    file: { type: 'string' },
    format: { type: 'string', default: 'pretty' },
  },
  async run(args, io) {
    const { values } = args
    const format = String(values['format'])
    if (!FORMATS.includes(format)) throw new UsageError(`--format is one of ${FORMATS.join(', ')}`)
    const project = await resolveProject(args, io, "embed-skills lock 'skills/*'")
    const file = lockFile(project.root, (values['file'] as string | undefined) ?? project.lock)
    // A lock without one that has an error would tell that it is gone.
    const skills = await soundSkills(project, io)
    if (skills === undefined) return 1

    if (values['check'] !== true) {
      await writeLock(file, skills)
      io.out(`${path.relative(io.cwd, file)}: ${counted(skills)}`)
      return 0
    }
    const changes = await usage(() => checkLock(file, skills))
    const unchanged = isUnchanged(changes)
    if (format === 'json') io.out(JSON.stringify(changes, null, 2))
    else if (format === 'github') io.out(summarizeChanges(changes))
    else if (unchanged) io.out(`${counted(skills)}, as locked`)
    else
      io.out(
        `${formatChanges(changes)}\n\nIf that is meant, run \`embed-skills lock\` and commit ${path.basename(file)}.`,
      )
    return unchanged ? 0 : 1
  },
}
export default lock

/** Of what is rendered only the sources can be locked, which is said each time. */
function counted(skills: readonly CompiledSkill[]): string {
  const templates = skills.filter(hasTemplates)
  const all = count(skills.length, 'skill')
  return templates.length > 0 ? `${all}; ${holdTemplates(templates)}, locked by their sources` : all
}
