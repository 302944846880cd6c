/** Does what every page of the documentation shows, in the folder that the README ends with. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { packTarballs } from '../support/tarballs.ts'
import { linkPackages } from './linked.ts'
import { Project } from './project.ts'
import type { Step } from './snippets.ts'
import { snippetsOf, stepsOf } from './snippets.ts'

const repository = path.join(import.meta.dirname, '../..')
const packed = await packTarballs()
const readme = await stepsIn('README.md')
const pages = (await readdir(path.join(repository, 'docs'), { recursive: true }))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file.replaceAll(path.sep, '/')}`)

/** What npm shows of each package. */
const readmes = (await readdir(path.join(repository, 'packages'))).map((name) => `packages/${name}/README.md`)

/** The test that runs the snippets of a page, if it is another: it is named in a comment at the top of the page. */
async function otherTestOf(page: string): Promise<string | undefined> {
  return /^<!-- Run by (\S+) -->$/m.exec(await readFile(path.join(repository, page), 'utf8'))?.[1]
}

const others = new Map<string, string>()
for (const page of pages) {
  const other = await otherTestOf(page)
  if (other !== undefined) others.set(page, other)
}
/** `docs/rules` is written by the rules themselves, and the snippets of `docs/servers` are run by `test/servers`. */
const ownPages = pages.filter((page) => !/^docs\/(rules|servers)\//.test(page) && !others.has(page))

test.each([...others])('%s: its snippets are run by %s', async (page, other) => {
  expect(await readFile(path.join(repository, other), 'utf8')).toContain(path.basename(page))
})

test.each(['CONTRIBUTING.md', ...readmes, ...ownPages])(
  '%s: its snippets do what it says',
  { timeout: 120_000 },
  async (file) => {
    const steps = await stepsIn(file)
    if (!steps.length) return
    const project = await Project.create({ bin: path.dirname(process.execPath) })
    try {
      await linkPackages(project.folder, packed)
      await project.write('package.json', '{ "private": true, "type": "module" }\n')
      for (const step of readme) if (step.kind === 'file') await project.write(step.path, step.snippet.text)
      expect(await project.follow(steps)).toBe(`${steps.length} steps done`)
    } finally {
      await project.remove()
    }
  },
)

test.each(['README.md', 'CONTRIBUTING.md', ...readmes, ...pages])(
  '%s: its links lead somewhere',
  async (file) => {
    const source = path.join(repository, file)
    // What a page shows of another file is not its own.
    const prose = (await readFile(source, 'utf8')).replaceAll(/^(`{3,})[^]*?^\1$/gm, '')
    const links = prose.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#([^)]+))?\)/g)
    const dead: string[] = []
    for (const [, target, anchor] of links) {
      const page = await readFile(path.join(path.dirname(source), target!), 'utf8').catch(() => undefined)
      if (page === undefined || (anchor && !anchorsIn(page).includes(anchor)))
        dead.push(`${target}#${anchor}`)
    }
    expect(dead).toEqual([])
  },
)

/** A fence's info string, and a comment, are not shown. */
test.each([
  'README.md',
  'CONTRIBUTING.md',
  ...readmes,
  ...pages.filter((page) => !page.startsWith('docs/rules/')),
])('%s: names each file that it shows, ahead of it', async (file) => {
  const nameless: string[] = []
  let prose = ''
  for (const part of (await readFile(path.join(repository, file), 'utf8')).split(/^(`{3,}[^]*?^`{3,})$/m)) {
    const inFence = /^`{3,}\w* ([\w./-]+\.\w+)(?: run)?\n/.exec(part)?.[1]
    const inComment = /<!-- (?:file|run): (\S+) -->\s*$/.exec(part)?.[1]
    if (!part.startsWith('```')) prose += part
    const shown = (inFence ?? inComment)?.replace(/^playground\/\w+\//, '')
    if (shown !== undefined && !prose.includes(`\`${shown}\``)) nameless.push(shown)
  }
  expect(nameless).toEqual([])
})

/** Headings as links name them. */
function anchorsIn(markdown: string): string[] {
  const headings = markdown.matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, text]) =>
    text!
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

async function stepsIn(file: string): Promise<Step[]> {
  return stepsOf(snippetsOf(await readFile(path.join(repository, file), 'utf8'), file))
}
