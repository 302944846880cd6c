/** The command line as a ninth builder: what wrangler, Turbopack, Deno and `tsc` are given instead of a plugin. */
import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { build as esbuild } from 'esbuild'
import { cliFile } from '../../support/cli.ts'
import type { Project } from './project.ts'

export interface CliCell {
  readonly content: 'inline' | 'chunks' | 'pack'
  readonly minify: boolean
  /** Where the output goes. */
  readonly out: string
}

/**
 * Writes a module for each import of the project's entry, and lets it stand for the import. Plain, that is what runs;
 * minified, esbuild bundles it without any plugin, as a user's own build would.
 */
export async function buildWithCli(
  { root, globs, entry }: Project,
  { content, minify, out }: CliCell,
): Promise<string> {
  const write = async (name: string, args: readonly string[]): Promise<void> => {
    const given = [...args, '--out', path.join(out, `${name}.js`), '--content', content]
    await promisify(execFile)(process.execPath, [cliFile, 'build', ...given], { cwd: root })
  }
  await write('all', globs)
  await write('one', ['skills/contents'])
  await write('single', ['.', '--base', 'skills/names'])
  const file = path.join(out, 'entry.js')
  const code = await readFile(entry, 'utf8')
  await writeFile(
    file,
    code
      .replace('virtual:skills/contents', './one.js')
      .replace('virtual:skills', './all.js')
      .replace('./skills/names/SKILL.md?skill', './single.js'),
  )
  await cp(path.join(root, '../package.json'), path.join(out, 'package.json'))
  if (!minify) return file
  await esbuild({
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    splitting: true,
    minify,
    outdir: path.join(out, 'bundled'),
    loader: { '.bin': 'copy' },
    logLevel: 'silent',
  })
  return path.join(out, 'bundled/entry.js')
}

/** The same in workerd, by a Worker that answers with what the entry would print. */
export async function workerOf(project: Project, cell: CliCell): Promise<string> {
  const file = await buildWithCli(project, { ...cell, minify: false })
  const code = await readFile(file, 'utf8')
  await writeFile(
    path.join(cell.out, 'worker.js'),
    code
      .replace('console.log(', 'return (')
      .replace(/main\(\)\n$/, 'export default { fetch: async () => new Response(await main()) }\n'),
  )
  const config = path.join(cell.out, 'wrangler.json')
  const worker = { name: 'matrix', main: 'worker.js', compatibility_date: '2026-10-01', minify: cell.minify }
  await writeFile(config, JSON.stringify(worker))
  return config
}
