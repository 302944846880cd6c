import fs from 'node:fs'
import path from 'node:path'
import type { Log } from 'sarif'
import { describe, expect, test } from 'vitest'
import { cli } from '../support/cli.ts'
import { writeTree as tree } from '../support/tree.ts'

const skill = (name: string, fields = '', body = 'Body\n'): string =>
  `---\nname: ${name}\ndescription: Handles ${name}\n${fields}---\n${body}`
const DATED = skill('refunds', 'metadata:\n  updated: 2025-10-20\n')
const BROKEN = skill('refund')

describe('check', () => {
  test('ends with 0 where nothing is wrong', async () => {
    const root = tree({ 'skills/refunds/SKILL.md': skill('refunds') })
    expect(await cli(root, ['check', 'skills/*'])).toEqual({
      code: 0,
      stdout: '1 skill, 1 file\n',
      stderr: '',
    })
  })

  test('shows the place and the fix of an error, and ends with 1', async () => {
    const root = tree({ 'skills/refunds/SKILL.md': BROKEN })
    const { code, stdout } = await cli(root, ['check', 'skills/*'])
    expect(code).toBe(1)
    expect(stdout)
      .toBe(`skills/refunds/SKILL.md:2:7 error \`name\` is \`refund\`, but the folder is \`refunds\` [name-mismatch]
  1 | ---
> 2 | name: refund
    |       ^
  3 | description: Handles refund
  4 | ---
help: Rename the folder to \`refund\`, write \`name: refunds\`, or serve it at another path with \`rename\`.

0 skills, 0 files: 1 error
`)
  })

  test('a wrong command line ends with 2 and says what is right', async () => {
    const root = tree({ 'skills/refunds/SKILL.md': skill('refunds') })
    for (const [args, message] of [
      [[], 'Say where skills are'],
      [['skills/*', '--format', 'xml'], '--format is one of pretty, json, github, sarif'],
      [['skills/*', '--max-warnings', 'few'], '--max-warnings is a number'],
      [
        ['skills/*', '--rule', 'brokn-link=off'],
        'There is no rule `brokn-link`. The nearest are `broken-link`',
      ],
      [['skills/*', '--rule', 'name'], 'Write --rule name=error'],
      [['skills/*', '--rule', 'name=bad'], 'must be one of error, warning, info, off'],
      [['skills/*', '--nonsense'], 'There is no option --nonsense'],
      [['skills/*', '--config', 'none.json'], 'There is no configuration at'],
      [['/elsewhere/*'], 'is absolute, and leads out of'],
    ] as const) {
      const { code, stdout, stderr } = await cli(root, ['check', ...args])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(message)
      expect(stderr).toContain('embed-skills check [globs...]')
    }
  })

  test('--max-warnings', async () => {
    const root = tree({ 'skills/refunds/SKILL.md': DATED })
    expect((await cli(root, ['check', 'skills/*'])).code).toBe(0)
    expect((await cli(root, ['check', 'skills/*', '--max-warnings', '1'])).code).toBe(0)
    const { code, stderr } = await cli(root, ['check', 'skills/*', '--max-warnings', '0'])
    expect([code, stderr]).toEqual([1, '1 warnings are more than --max-warnings 0 allows.\n'])
  })

  test('--rule and --no-strict set severities', async () => {
    const root = tree({ 'skills/refunds/SKILL.md': BROKEN })
    const named = await cli(root, ['check', 'skills/*', '--rule', 'name-mismatch=warning'])
    expect([named.code, named.stdout]).toEqual([0, expect.stringContaining('1 skill, 1 file: 1 warning')])
    const lax = await cli(root, ['check', 'skills/*', '--no-strict'])
    expect([lax.code, lax.stdout]).toEqual([0, expect.stringContaining('1 skill, 1 file: 1 warning')])
  })

  test('--quiet shows errors alone', async () => {
    const root = tree({ 'skills/refunds/SKILL.md': DATED })
    expect((await cli(root, ['check', 'skills/*', '--quiet'])).stdout).toBe('1 skill, 1 file\n')
  })

  test('--format json has skills with errors too', async () => {
    const root = tree({
      'skills/refunds/SKILL.md': BROKEN,
      'skills/support/SKILL.md': skill('support'),
      'skills/none/x': 'x',
    })
    const { code, stdout } = await cli(root, ['check', 'skills/*', '--format', 'json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      skills: [
        { path: 'none', uri: null, files: 0, bytes: 0 },
        { path: 'refunds', uri: 'skill://refunds/SKILL.md', files: 1, bytes: BROKEN.length },
        { path: 'support', uri: 'skill://support/SKILL.md', files: 1, bytes: skill('support').length },
      ],
      diagnostics: [
        {
          rule: 'skill-md-missing',
          severity: 'error',
          message: '`skills/none` has no SKILL.md',
          file: 'skills/none',
          line: null,
          column: null,
          help: 'Write one, or leave the folder out with `!skills/none`.',
        },
        {
          rule: 'name-mismatch',
          severity: 'error',
          message: '`name` is `refund`, but the folder is `refunds`',
          file: 'skills/refunds/SKILL.md',
          line: 2,
          column: 7,
          help: 'Rename the folder to `refund`, write `name: refunds`, or serve it at another path with `rename`.',
        },
      ],
    })
  })

  test('--format github gives annotations, from the root of the repository', async () => {
    const root = tree({ 'app/skills/refunds/SKILL.md': BROKEN, 'app/skills/refunds/50% off, now?.md': 'x' })
    const { stdout } = await cli(path.join(root, 'app'), ['check', 'skills/*', '--format', 'github'], {
      env: { GITHUB_WORKSPACE: root },
    })
    expect(stdout).toBe(
      '::warning file=app/skills/refunds/50%25 off%2C now?.md,title=embed-skills%3A portable-name::The name "50%25 off, now?.md" cannot exist everywhere: Windows allows no `?`%0ARename it.\n' +
        '::error file=app/skills/refunds/SKILL.md,line=2,col=7,title=embed-skills%3A name-mismatch::`name` is `refund`, but the folder is `refunds`%0ARename the folder to `refund`, write `name: refunds`, or serve it at another path with `rename`.\n',
    )
  })

  test('--format sarif', async () => {
    const root = tree({ 'skills/refunds/SKILL.md': BROKEN, 'skills/refunds/a b#?.md': 'x' })
    const { stdout } = await cli(root, ['check', 'skills/*', '--format', 'sarif'])
    const [run] = (JSON.parse(stdout) as Log).runs
    const { driver } = run!.tool
    expect(
      run!.results!.map(({ ruleId, ruleIndex, level }) => [ruleId, driver.rules![ruleIndex!]!.id, level]),
    ).toEqual([
      ['name-mismatch', 'name-mismatch', 'error'],
      ['portable-name', 'portable-name', 'warning'],
    ])
    expect(run!.results!.map(({ locations }) => locations![0]!.physicalLocation)).toEqual([
      { artifactLocation: { uri: 'skills/refunds/SKILL.md' }, region: { startLine: 2, startColumn: 7 } },
      { artifactLocation: { uri: 'skills/refunds/a%20b%23%3F.md' } },
    ])
  })
})

describe('--fix', () => {
  test('the template of a SKILL.md is mended where it is', async () => {
    const head = (value: string): string =>
      `---\nname: refunds\ndescription: ${value}\n---\n\nHi <%= it.name %>\n`
    const root = tree({ 'skills/refunds/SKILL.md.eta': head('Use when: a refund is due') })
    const { code, stderr } = await cli(root, ['check', 'skills/*', '--fix'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('+++ skills/refunds/SKILL.md.eta')])
    expect(fs.readFileSync(path.join(root, 'skills/refunds/SKILL.md.eta'), 'utf8')).toBe(
      head('"Use when: a refund is due"'),
    )
  })

  test('puts quotes in, and nothing else; without it no file is touched', async () => {
    const before =
      '---\r\nname: refunds\r\ndescription: Use when: x\r\nmetadata:\r\n  updated: 2025-10-20 # monthly\r\n  on: yes\r\n---\r\nB\r\n'
    const root = tree({ 'skills/refunds/SKILL.md': before })
    const file = path.join(root, 'skills/refunds/SKILL.md')
    expect((await cli(root, ['check', 'skills/*'])).code).toBe(1)
    expect(fs.readFileSync(file, 'utf8')).toBe(before)

    const { code, stdout, stderr } = await cli(root, ['check', 'skills/*', '--fix'])
    expect([code, stdout]).toEqual([0, '1 skill, 1 file\n'])
    expect(stderr).toBe(`--- skills/refunds/SKILL.md
+++ skills/refunds/SKILL.md
@@ -3 +3 @@
-description: Use when: x
+description: "Use when: x"

--- skills/refunds/SKILL.md
+++ skills/refunds/SKILL.md
@@ -5 +5 @@
-  updated: 2025-10-20 # monthly
+  updated: "2025-10-20" # monthly
@@ -6 +6 @@
-  on: yes
+  "on": "yes"

`)
    expect(fs.readFileSync(file, 'utf8')).toBe(
      before
        .replace('Use when: x', '"Use when: x"')
        .replace('2025-10-20', '"2025-10-20"')
        .replace('on: yes', '"on": "yes"'),
    )
  })

  test('changes no value: a number stays one', async () => {
    const before = skill('refunds', 'ticket: 0755\nversion: 1e3\n')
    const root = tree({ 'skills/refunds/SKILL.md': before })
    const { code, stdout, stderr } = await cli(root, ['check', 'skills/*', '--fix'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('help: Write 755 if it is a number, or "0755" if it is a text.')
    expect(fs.readFileSync(path.join(root, 'skills/refunds/SKILL.md'), 'utf8')).toBe(before)
  })

  test('keeps the permissions of a file, and leaves nothing behind', async () => {
    const root = tree({ 'skills/refunds/SKILL.md': DATED })
    const folder = path.join(root, 'skills/refunds')
    fs.chmodSync(path.join(folder, 'SKILL.md'), 0o640)
    await cli(root, ['check', 'skills/*', '--fix'])
    expect(fs.statSync(path.join(folder, 'SKILL.md')).mode & 0o777).toBe(0o640)
    expect(fs.readdirSync(folder)).toEqual(['SKILL.md'])
  })
})

describe('the cache', () => {
  test('says the same the second time, and forgets what has changed', async () => {
    const root = tree({
      'skills/refunds/SKILL.md': DATED,
      'skills/support/SKILL.md': skill('support'),
      'node_modules/': '',
    })
    const file = path.join(root, 'node_modules/.cache/embed-skills/check.json')
    const first = await cli(root, ['check', 'skills/*'])
    const stored = fs.readFileSync(file, 'utf8')
    expect(Object.keys((JSON.parse(stored) as { findings: object }).findings)).toHaveLength(2)
    expect(await cli(root, ['check', 'skills/*'])).toEqual(first)
    expect(fs.readFileSync(file, 'utf8')).toBe(stored)

    fs.writeFileSync(path.join(root, 'skills/support/SKILL.md'), BROKEN)
    const changed = await cli(root, ['check', 'skills/*'])
    expect(changed.stdout).toContain('name-mismatch')
    expect(changed.stdout).toContain('portable-values')
    // Severities are not part of it.
    const strict = await cli(root, ['check', 'skills/*', '--rule', 'portable-values=error'])
    expect(strict.stdout).toContain('error `metadata.updated`')
  })

  test('a damaged one is as good as none, and --no-cache writes none', async () => {
    const root = tree({
      'skills/refunds/SKILL.md': skill('refunds'),
      'cache.json': '{"ruleSet',
      'node_modules/': '',
    })
    expect((await cli(root, ['check', 'skills/*', '--cache', 'cache.json'])).code).toBe(0)
    expect(JSON.parse(fs.readFileSync(path.join(root, 'cache.json'), 'utf8'))).toHaveProperty('findings')
    await cli(root, ['check', 'skills/*', '--no-cache'])
    expect(fs.readdirSync(path.join(root, 'node_modules'))).toEqual([])
  })
})

describe('explain', () => {
  test('prints the page of a rule', async () => {
    const { code, stdout } = await cli('/', ['explain', 'broken-link'])
    expect(code).toBe(0)
    const page = path.join(import.meta.dirname, '../../docs/rules/broken-link.md')
    expect(stdout).toBe(fs.readFileSync(page, 'utf8'))
  })

  test('lists all rules, and knows what may have been meant', async () => {
    const { stdout } = await cli('/', ['explain'])
    expect(stdout.split('\n').length).toBeGreaterThan(40)
    const { code, stderr } = await cli('/', ['explain', 'brokenlink'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('The nearest are broken-link')])
  })
})

describe('lock', () => {
  const files = {
    'skills/refunds/SKILL.md': skill('refunds'),
    'skills/refunds/mail.md': 'Dear\n',
    'skills/support/SKILL.md': skill('support'),
  }

  test('is sorted, holds no time, and is the same wherever the tree lies', async () => {
    const [one, two] = [tree(files), tree(Object.fromEntries(Object.entries(files).toReversed()))]
    for (const root of [one, two]) {
      expect(await cli(root, ['lock', 'skills/*'])).toEqual({
        code: 0,
        stdout: 'skills.lock.json: 2 skills\n',
        stderr: '',
      })
    }
    const [lock, other] = [one, two].map((root) =>
      fs.readFileSync(path.join(root, 'skills.lock.json'), 'utf8'),
    )
    expect(lock).toBe(other)
    expect(Object.keys((JSON.parse(lock!) as { skills: object }).skills)).toEqual(['refunds', 'support'])
  })

  test('X6: --check says what a deploy would do to approvals', async () => {
    const root = tree(files)
    await cli(root, ['lock', 'skills/*'])
    expect(await cli(root, ['lock', '--check', 'skills/*'])).toMatchObject({
      code: 0,
      stdout: '2 skills, as locked\n',
    })

    fs.writeFileSync(path.join(root, 'skills/refunds/mail.md'), 'Dear\r\n')
    fs.appendFileSync(path.join(root, 'skills/refunds/SKILL.md'), 'More.\n')
    fs.writeFileSync(path.join(root, 'skills/refunds/new.md'), '')
    fs.rmSync(path.join(root, 'skills/support'), { recursive: true })
    fs.mkdirSync(path.join(root, 'skills/review'))
    fs.writeFileSync(path.join(root, 'skills/review/SKILL.md'), skill('review'))
    expect(await cli(root, ['lock', '--check', 'skills/*'])).toEqual({
      code: 1,
      stderr: '',
      stdout: `Changed, so that users who approved them will be asked again:
  refunds
    ~ SKILL.md
    ~ mail.md (line endings alone: see \`* text=auto eol=lf\` in .gitattributes)
    + new.md
New, approved by nobody yet:
  review
Gone, also for those who use them now:
  support

If that is meant, run \`embed-skills lock\` and commit skills.lock.json.
`,
    })
    const summary = await cli(root, ['lock', '--check', '--format', 'github', 'skills/*'])
    expect(summary.stdout).toContain('### Skills: 1 changed, 1 new, 1 gone')
    expect(summary.stdout).toContain(
      '| `refunds` | changed: users will be asked to approve it again | ~ `SKILL.md`<br>',
    )
    const json = await cli(root, ['lock', '--check', '--format', 'json', 'skills/*'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      added: ['review'],
      removed: ['support'],
      changed: [{ path: 'refunds' }],
    })
  })

  test('without a lock, with a damaged one, and with skills that have errors', async () => {
    const root = tree(files)
    const none = await cli(root, ['lock', '--check', 'skills/*'])
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('There is no skills.lock.json. Write it with `embed-skills lock`'),
    ])
    fs.writeFileSync(path.join(root, 'skills.lock.json'), '<<<<<<< HEAD\n')
    const damaged = await cli(root, ['lock', '--check', 'skills/*'])
    expect([damaged.code, damaged.stderr]).toEqual([
      2,
      expect.stringContaining('a merge may have left its marks in it'),
    ])
    fs.writeFileSync(path.join(root, 'skills/support/SKILL.md'), BROKEN)
    const refused = await cli(root, ['lock', 'skills/*'])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('[name-mismatch]')])
    expect(fs.readFileSync(path.join(root, 'skills.lock.json'), 'utf8')).toBe('<<<<<<< HEAD\n')
  })
})

describe('the configuration file', () => {
  const files = { 'skills/refunds/SKILL.md': BROKEN }
  const config = "{ from: 'skills/*', rules: { 'name-mismatch': 'warning' } }"
  const formats = {
    'embed-skills.config.json': '{ "from": "skills/*", "rules": { "name-mismatch": "warning" } }',
    'embed-skills.config.mjs': `export default ${config}`,
    'embed-skills.config.ts': `enum Level { warning = 'warning' }\nconst config: object = { from: 'skills/*', rules: { 'name-mismatch': Level.warning } }\nexport default config\n`,
  }

  test.each(Object.entries(formats))('%s', async (name, text) => {
    const root = tree({ ...files, [name]: text })
    const { code, stdout } = await cli(root, ['check'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 skill, 1 file: 1 warning')])
  })

  test('the command line wins, rule by rule', async () => {
    const root = tree({
      ...files,
      'other/refunds/SKILL.md': BROKEN,
      'embed-skills.config.json': formats['embed-skills.config.json'],
    })
    expect((await cli(root, ['check', '--rule', 'name-mismatch=error'])).code).toBe(1)
    const other = await cli(root, ['check', 'other/*'])
    expect([other.code, other.stdout]).toEqual([
      0,
      expect.stringContaining('other/refunds/SKILL.md:2:7 warning'),
    ])
  })

  test.each([
    ['an unknown option', '{ "form": "skills/*" }', 'there is no option `form`. Is `from` meant?'],
    ['no object', '[]', 'holds no configuration'],
    [
      'a text for globs',
      '{ "from": "skills/*", "ignore": "draft" }',
      '`ignore` is an array of globs; got "draft"',
    ],
    ['rules in an array', '{ "from": "skills/*", "rules": ["name"] }', '`rules` is an object, such as'],
    ['a word for a flag', '{ "from": "skills/*", "strict": "no" }', '`strict` is true or false; got "no"'],
    ['a number for a prefix', '{ "from": "skills/*", "prefix": 5 }', '`prefix` is segments of a path'],
    [
      'a number for a lock',
      '{ "from": "skills/*", "lock": 1 }',
      '`lock` is true, false or the name of a file',
    ],
    ['no JSON', '{ from: 1 }', 'embed-skills.config.json is no JSON'],
    ['a source that is none', '{ "from": 3 }', 'embed-skills.config.json: A source is a glob'],
    [
      'no such rule',
      '{ "from": "*", "rules": { "nam": "off" } }',
      'embed-skills.config.json: There is no rule `nam`',
    ],
  ])('%s is a wrong call', async (_, text, message) => {
    const root = tree({ ...files, 'embed-skills.config.json': text })
    const { code, stderr } = await cli(root, ['check'])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test.each([
    ['mjs', "\nthrow new Error('no such team')", 'embed-skills.config.mjs:2 cannot be loaded: no such team'],
    ['mjs', 'export default {\n  from: 1\n  rules: {}\n}', 'embed-skills.config.mjs:3 cannot be loaded: '],
    ['ts', '\nexport default from', 'embed-skills.config.ts:2 cannot be loaded: '],
    [
      'ts',
      "import { x } from '@acme/none/x'\nexport default x",
      "cannot be loaded: Cannot find package '@acme/none'. Install it: npm install --save-dev @acme/none",
    ],
  ])(
    'a file (.%s) that cannot be loaded is a wrong call too, with its line: %j',
    async (ending, text, message) => {
      const root = tree({ ...files, [`embed-skills.config.${ending}`]: text })
      const { code, stderr } = await cli(root, ['check'])
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    },
  )

  test('a mark of an editor on Windows is no part of the configuration', async () => {
    const root = tree({ ...files, 'embed-skills.config.json': '\uFEFF{ "from": "other/*" }' })
    expect((await cli(root, ['check'])).stderr).not.toContain('is no JSON')
  })

  test('`base`, `prefix`, `ignore`, `include` and `binary` are those of its strings', async () => {
    const root = tree({
      'all/skills/refunds/SKILL.md': skill('refunds'),
      'all/skills/refunds/.x': 'x',
      'all/skills/refunds/logo.png': 'x',
      'all/skills/draft/SKILL.md': 'x',
      'embed-skills.config.json': JSON.stringify({
        from: ['skills/*', '!skills/draft'],
        base: 'all',
        prefix: 'acme',
        include: ['**/.x'],
        binary: false,
      }),
    })
    const { stdout } = await cli(root, ['check', '--format', 'json'])
    const { skills, diagnostics } = JSON.parse(stdout) as {
      skills: object[]
      diagnostics: { rule: string; file: string }[]
    }
    expect(skills).toMatchObject([{ path: 'acme/refunds', files: 3 }])
    expect(diagnostics.map(({ rule, file }) => [rule, file])).toEqual([
      ['binary-file', 'all/skills/refunds/.x'],
      ['binary-file', 'all/skills/refunds/logo.png'],
    ])
  })
})
