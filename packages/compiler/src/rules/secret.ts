import { isSecretName, secretsIn } from '../content/secrets.ts'
import { placeOf, viewOf } from '../content/text.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

/** Whatever a skill holds is given to every client that asks. */
export const secret: Rule = {
  id: 'secret',
  severity: 'error',
  description: 'No skill holds a private key, a token, or a file that is known for them.',
  why: 'Whatever a skill holds is given to every client that asks for it. Private keys, the tokens of well-known services and files such as `.env` or `id_rsa` are reported; the message shows their beginning alone. Replace one that was published already: removing it is not enough.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      // In two parts, so that nothing takes this file for a leak.
      'skills/refunds/call.sh': `TOKEN=${'ghp'}_${'k3Vq9ZpL2mWc8RtY5uXb7NdF1gHs4JaQ6eKo'}\n`,
    },
  },
  good: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      'skills/refunds/call.sh': 'TOKEN=$GITHUB_TOKEN\n',
    },
  },
  skill({ files, location }, report) {
    for (const file of files) {
      const name = file.path.slice(file.path.lastIndexOf('/') + 1)
      const where = `${location}/${file.path}`
      if (isSecretName(name)) {
        report({
          message: `A file named \`${name}\` mostly holds secrets`,
          help: 'Leave it out with `ignore`, or rename it if it holds none.',
          file: where,
        })
      }
      if (file.kind !== 'text') continue
      for (const { what, begins, offset } of secretsIn(viewOf(file))) {
        report({
          message: `This looks like ${what}: \`${begins}…\``,
          help: 'Take it out, replace it where it is in use, and let the reader of the skill supply one.',
          file: where,
          at: placeOf(file, offset),
        })
      }
    }
  },
}
