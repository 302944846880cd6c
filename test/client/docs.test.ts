/** Does what the pages about the host show, in a folder of their own: the info strings say what a snippet is. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './support/folders.ts'

const docs = path.join(import.meta.dirname, '../../docs')
const modules = path.join(import.meta.dirname, '../node_modules')

test.each(['host', 'approvals', 'pull', 'verify'])(
  'N18, S4, X6: docs/%s.md does what it says',
  { timeout: 120_000 },
  async (page) => {
    const folder = await temporaryFolder()
    await symlink(modules, path.join(folder, 'node_modules'))
    const snippets = snippetsOf(await readFile(path.join(docs, `${page}.md`), 'utf8'))
    const wrong: object[] = []
    let printed = ''
    for (const { info, text } of snippets) {
      if (info.includes(' not-run: ')) continue
      const [, file] = /^\w+ ([\w./-]+\.\w+)$/.exec(info) ?? []
      if (info === 'text output') {
        if (!pattern(text).test(printed.trim())) wrong.push({ expected: text, printed })
      } else if (info === 'sh' || info === 'sh fails') {
        const { code, output } = await shell(text, folder)
        if ((code !== 0) !== (info === 'sh fails')) wrong.push({ text, code, output })
        printed = output
      } else {
        if (!file) throw new Error(`${page}.md has a snippet that says "${info}"`)
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
        await writeFile(path.join(folder, file), text)
      }
    }
    expect(wrong).toEqual([])
    expect(snippets.length).toBeGreaterThan(5)
  },
)

function snippetsOf(markdown: string): { info: string; text: string }[] {
  return [...markdown.matchAll(/^```(.+)\n([^]*?)^```$/gm)].map(([, info, text]) => ({
    info: info!,
    text: text!,
  }))
}

/** `…` stands for the rest of a word or a line. */
function pattern(text: string): RegExp {
  const escaped = text
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`)
}

function shell(command: string, cwd: string): Promise<{ code: number; output: string }> {
  const PATH = [path.dirname(process.execPath), path.join(modules, '.bin'), process.env['PATH']].join(
    path.delimiter,
  )
  const env = { ...process.env, PATH, XDG_CONFIG_HOME: path.join(cwd, '.config') }
  return new Promise((resolve) => {
    execFile('sh', ['-ec', command], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
}
