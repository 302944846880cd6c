import type { SkillDraft } from '../read/skill.ts'
import { skillMd } from './rule.ts'
import type { Finding, Rule } from './rule.ts'

/** One URI has one content, and a skill holds what nests in it, from whatever folder. */
export const duplicateUri: Rule = {
  id: 'duplicate-uri',
  severity: 'error',
  fixed: true,
  description: 'No URI stands for two contents.',
  why: "One URI has one content. Sources that give a path twice with different files, or a skill inside of another's folder that the outer one knows otherwise, would contradict themselves.",
  bad: {
    files: {
      'one/refunds/SKILL.md': skillMd('refunds'),
      'two/refunds/SKILL.md': skillMd('refunds', { body: 'Other steps.\n' }),
    },
    sources: ['one/*', 'two/*'],
  },
  good: {
    files: {
      'one/refunds/SKILL.md': skillMd('refunds'),
      'two/refunds/SKILL.md': skillMd('refunds', { body: 'Other steps.\n' }),
    },
    sources: [
      { from: 'one/*', prefix: 'one' },
      { from: 'two/*', prefix: 'two' },
    ],
    rules: { 'same-name': 'off' },
  },
  set(skills, report) {
    const byPath = new Map<string, SkillDraft[]>()
    for (const skill of skills) byPath.set(skill.path, [...(byPath.get(skill.path) ?? []), skill])
    for (const [path, same] of byPath) {
      for (const skill of same) {
        for (const other of same) if (other !== skill) report(skill, twice(skill, other))
      }
      for (let up = parentOf(path); up !== ''; up = parentOf(up)) {
        for (const outer of byPath.get(up) ?? []) {
          for (const inner of same) {
            const fault = nestingFault(outer, inner)
            if (fault === undefined) continue
            report(inner, fault)
            report(outer, fault)
          }
        }
      }
    }
  },
}

function twice(skill: SkillDraft, other: SkillDraft): Finding {
  return {
    message: `\`${other.location}\` has the path \`${skill.path}\` too, and other contents`,
    help: 'Give one of them a `prefix`, rename it, or leave it out with `ignore`.',
    file: skill.location,
  }
}

/** Whether `inner`, whose path lies below that of `outer`, holds other files than `outer` has there. */
function nestingFault(outer: SkillDraft, inner: SkillDraft): Finding | undefined {
  if (outer.files.length === 0 || inner.files.length === 0) return undefined
  const below = inner.path.slice(outer.path.length + 1)
  const held = new Map(outer.files.map((file) => [file.path, file.digest]))
  const different = inner.files.find((file) => held.get(`${below}/${file.path}`) !== file.digest)
  const own = new Set(inner.files.map((file) => `${below}/${file.path}`))
  const more = outer.files.find((file) => file.path.startsWith(`${below}/`) && !own.has(file.path))
  const uri = different?.uri ?? more?.uri
  if (uri === undefined) return undefined
  return {
    message: `\`${outer.location}\` and \`${inner.location}\` do not agree about \`${uri}\``,
    help: `\`${inner.path}\` lies inside \`${outer.path}\`: give one of them another \`prefix\`, or the same files.`,
    file: inner.location,
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
