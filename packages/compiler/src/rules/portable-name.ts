import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const MAX_BYTES = 255

export const portableName: Rule = {
  id: 'portable-name',
  severity: 'warning',
  description: 'Every name in a skill can exist on Windows, macOS and Linux.',
  why: 'A skill is served under any name that a URI can say. But Windows cannot check out the repository, and a host on it cannot download the skill.',
  bad: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/why?.md': '' } },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/why.md': '' } },
  skill({ files, location }, report) {
    const said = new Set<string>()
    for (const { path } of files) {
      const segments = path.split('/')
      segments.forEach((segment, index) => {
        const whole = segments.slice(0, index + 1).join('/')
        const reason = reasonAgainst(segment)
        if (reason === undefined || said.has(whole)) return
        said.add(whole)
        report({
          message: `The name ${JSON.stringify(segment)} cannot exist everywhere: ${reason}`,
          help: 'Rename it.',
          file: `${location}/${whole}`,
        })
      })
    }
  },
}

function reasonAgainst(name: string): string | undefined {
  const [odd] = /[<>:"|?*]/.exec(name) ?? []
  if (odd !== undefined) return `Windows allows no \`${odd}\``
  if (RESERVED.test(name)) return 'Windows has a device of that name'
  if (/[. ]$/.test(name)) return 'Windows drops a dot or blank at the end'
  if (Buffer.byteLength(name) > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`
  return undefined
}
