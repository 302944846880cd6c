/** Does what every page of the documentation shows, in the folder that the README ends with. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { packTarballs } from '../support/tarballs.ts'
import { linkPackages } from './linked.ts'
import { Project } from './project.ts'
import type { Step } from './snippets.ts'
import { snippetsOf, stepsOf } from './snippets.ts'

const repository = path.join(import.meta.dirname, '../..')
const tarballs = await packTarballs(['compiler', 'runtime', 'unplugin', 'cli'])
const readme = await stepsIn('README.md')
const pages = (await readdir(path.join(repository, 'docs'))).filter((file) => file.endsWith('.md'))

describe.each(['CONTRIBUTING.md', ...pages.map((file) => `docs/${file}`)])('%s', (file) => {
  test('its snippets do what it says', { timeout: 120_000 }, async () => {
    const steps = await stepsIn(file)
    if (!steps.length) return
    const project = await Project.create({ bin: path.dirname(process.execPath) })
    try {
      await linkPackages(project.folder, tarballs)
      await project.write('package.json', '{ "private": true, "type": "module" }\n')
      for (const step of readme) if (step.kind === 'file') await project.write(step.path, step.snippet.text)
      await project.follow(steps)
    } finally {
      await project.remove()
    }
  })

  test('its links lead somewhere', async () => {
    const text = await readFile(path.join(repository, file), 'utf8')
    const folder = path.dirname(path.join(repository, file))
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#\s]+)/g))
      await expect(
        readFile(path.join(folder, target!)).catch((error) => error.code),
        target,
      ).resolves.not.toBe('ENOENT')
  })
})

async function stepsIn(file: string): Promise<Step[]> {
  return stepsOf(snippetsOf(await readFile(path.join(repository, file), 'utf8'), file))
}
