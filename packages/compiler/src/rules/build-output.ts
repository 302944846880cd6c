import { leftOutRule } from './left-out.ts'
import { skillMd } from './rule.ts'
import type { Rule } from './rule.ts'

export const buildOutput: Rule = leftOutRule({
  id: 'build-output',
  severity: 'info',
  description: '`__pycache__`, `*.pyc` and a `target` beside its `Cargo.toml` or `pom.xml` are left out.',
  why: 'They are made from what is there already, differ from machine to machine, and would change the digests each time. A glob of `include` takes them in.',
  bad: {
    files: {
      'skills/refunds/SKILL.md': skillMd('refunds'),
      'skills/refunds/__pycache__/sum.cpython-313.pyc': '',
    },
  },
  good: { files: { 'skills/refunds/SKILL.md': skillMd('refunds'), 'skills/refunds/sum.py': '' } },
  message: (_, name) => `\`${name}\` is left out, since it is built from something else`,
  help: 'Nothing needs to be done. Add it to `.gitignore` if it is in the repository.',
})
