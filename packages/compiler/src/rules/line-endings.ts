import { holds } from '../content/text.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Digests are of bytes, and git may change bytes on their way to another machine. */
export const lineEndings: Rule = {
  id: 'line-endings',
  severity: 'warning',
  description: 'A file with CRLF line endings lies under a `.gitattributes` that settles them.',
  why: 'With `core.autocrlf` git writes CRLF on one machine and LF on another. The digests then differ from machine to machine, and with them what users have approved. Bytes are served as they are on the disk, so that git has to be told: `* text=auto eol=lf`.',
  bad: {
    files: {
      '.git/HEAD': 'ref: refs/heads/main\n',
      'skills/refunds/SKILL.md': skillMd('refunds').replaceAll('\n', '\r\n'),
    },
  },
  good: {
    files: {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitattributes': '* text=auto eol=lf\n',
      'skills/refunds/SKILL.md': skillMd('refunds').replaceAll('\n', '\r\n'),
    },
  },
  skill({ files, folder, location, lineEndings }, report) {
    const drifting = files.filter(
      (file) => file.kind === 'text' && holds(file, '\r\n') && lineEndings.drifts(`${folder}/${file.path}`),
    )
    const [first, ...others] = drifting
    if (first === undefined) return
    const more = others.length === 0 ? '' : ` (and so do ${others.length} more files of the skill)`
    report({
      message: `Its lines end with CRLF${more}, and git may change that on another machine`,
      help: 'Write `* text=auto eol=lf` in `.gitattributes`, then run `git add --renormalize .`.',
      file: `${location}/${first.path}`,
    })
  },
}
