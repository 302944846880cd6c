import { compile } from '@embed-skills/compiler'
import { expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import { writeTree } from '../support/tree.ts'

const head = (name: string): string => `---\nname: ${name}\ndescription: Does it. Use it.\n---\n`

/** What is said of a tree, as `file:line:column message`. */
async function errorsOf(files: Record<string, string>): Promise<string> {
  const { templates, diagnostics } = await compile('**', { root: writeTree(files) })
  expect(templates).toEqual([])
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, column, message }) => `${[file, line, column].filter(Boolean).join(':')} ${message}`)
    .join('\n')
}

test.each<[string, Record<string, string>, string]>([
  [
    'a tag in the frontmatter',
    { 'a/SKILL.md.eta': head('a').replace('Does', '<%= it.x %>') },
    'a/SKILL.md.eta:3:1 The frontmatter holds a template tag',
  ],
  [
    'a file and a template of it',
    { 'a/SKILL.md.eta': head('a'), 'a/x.md': '', 'a/x.md.eta': '' },
    'There is a `x.md` beside the template of it',
  ],
  ['two SKILL.md', { 'a/SKILL.md': head('a'), 'a/SKILL.md.eta': head('a') }, 'There is a `SKILL.md` beside'],
  ['another name', { 'a/SKILL.md.eta': head('b') }, '`name` is `b`, but the folder is `a`'],
])('P5: %s is an error of the build', async (_, files, wanted) => {
  expect(await errorsOf(files)).toContain(wanted)
})

test.each<[string, string, string]>([
  ['an open tag', 'x\n<% if (', '2:1 The template cannot be compiled: unclosed tag'],
  ['an open string', "x\n\n<%= 'a %>", '3:5 The template cannot be compiled: unclosed string'],
  [
    'an expression that breaks off',
    '<%= it. %>',
    "1:8 The template cannot be compiled: Unexpected token ')'",
  ],
  [
    'two expressions',
    'x <%= it.a it.b %>',
    "1:12 The template cannot be compiled: Unexpected identifier 'it'",
  ],
  ['no expression', '\n<%= %>', "2:5 The template cannot be compiled: Unexpected token ')'"],
  ['a call that is not closed', '<%= f(it.a %>', '1:6 The template cannot be compiled: `(` is not closed'],
  [
    'an expression over lines',
    'x\r\n<%= [\r\n  it.a,\r\n  it.b it.c\r\n] %>',
    "4:8 The template cannot be compiled: Unexpected identifier 'it'",
  ],
  [
    'a loop over nothing',
    'x\n\n<% for (const x of ) { %>\n<%= x %>\n<% } %>',
    "3:20 The template cannot be compiled: Unexpected token ')'",
  ],
  ['code over lines', '<%\n  const a = 1\n  const b = 2 3\n%>\nx', '3:15 The template cannot be compiled: '],
  [
    'a name twice, tags apart',
    '<% const a = 1 %>\ntext\n<%= a %><% const a = 2 %>',
    "3:18 The template cannot be compiled: Identifier 'a' has already been declared",
  ],
  ['an open block', 'x\n<% if (it.x) { %>\ny', '2:14 The template cannot be compiled: `{` is not closed'],
  [
    'the inner one of two blocks',
    '<% if (it.x) { %>\n<% for (const y of it.x) { // } %>\n<%= "{" %>\n<% } %>',
    '1:14 The template cannot be compiled: `{` is not closed',
  ],
  [
    'a block that is closed twice',
    '<% if (it.x) { %>\nx\n<% } } %>\nmore',
    "3:7 The template cannot be compiled: Unexpected token ';'",
  ],
  ['an include', "text\n<%~ include('./x') %>", '2:5 The template cannot be compiled: `include` needs Eta'],
])('P5: %s is found where it is', async (_, template, wanted) => {
  expect(await errorsOf({ 'a/SKILL.md': head('a'), 'a/x.md.eta': template })).toContain(
    `a/x.md.eta:${wanted}`,
  )
  // Below frontmatter, lines are counted from the start of the file.
  const [line, rest] = [Number.parseInt(wanted), wanted.slice(wanted.indexOf(':'))]
  expect(await errorsOf({ 'a/SKILL.md.eta': head('a') + template })).toContain(
    `a/SKILL.md.eta:${line + 4}${rest}`,
  )
})

test('P5: it is shown in its lines', async () => {
  const root = writeTree({
    'skills/a/SKILL.md.eta': `${head('a')}\n<% if (it.x) { %>\nHi <%= it.name. %>\n<% } %>\n`,
  })
  const { code, stdout, stderr } = await cli(root, ['check', 'skills/*'])
  expect(code).toBe(1)
  expect(stdout + stderr)
    .toContain(`skills/a/SKILL.md.eta:7:16 error The template cannot be compiled: Unexpected token ')' [template]
  5 |
  6 | <% if (it.x) { %>
> 7 | Hi <%= it.name. %>
    |                ^
  8 | <% } %>
`)
})
