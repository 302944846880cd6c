import { compile, emitModules } from '@embed-skills/compiler'
import type { Content } from '@embed-skills/compiler'
import { expect, test } from 'vitest'
import { skillMd, writeTree } from '../support/tree.ts'

/* What the compiler writes, to be read by people: the format of `packages/runtime/src/compiled.ts`. */
const root = writeTree({
  'skills/refunds/SKILL.md': skillMd('refunds', 'license: MIT\nmetadata:\n  locale: "日本"\n'),
  'skills/refunds/templates/mail.md': '\ufeffDear “you”,\r\n\r\n`${name}` </script>\r\n',
  'skills/refunds/scripts/run.ts': 'console.log(process.env.NODE_ENV)\n',
  'skills/refunds/LICENSE.txt': 'Shared by two skills.\n',
  'skills/refunds/logo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0),
  'skills/refunds/archive/2026 (old)/': '',
  'skills/refunds/partial/SKILL.md': skillMd('partial'),
  'skills/support/SKILL.md': skillMd('support'),
  'skills/support/LICENSE.txt': 'Shared by two skills.\n',
  'skills/support/empty.txt': '',
})

test.each(['inline', 'chunks'] as const)(
  'the modules of two sets of skills: %s',
  async (content: Content) => {
    const { skills } = await compile({ from: 'skills/**', prefix: 'acme' }, { root })
    const modules = [...emitModules(skills, { content })]
    const readable = modules.map(([id, write]) => `## \`${id}\`\n\n\`\`\`js\n${write()}\`\`\`\n`).join('\n')
    await expect(readable).toMatchFileSnapshot(`__snapshots__/${content}.md`)
  },
)
