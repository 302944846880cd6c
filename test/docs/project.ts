import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Step } from './snippets.ts'
import { isOutput } from './snippets.ts'

/** How a project differs from a plain folder. */
export interface ProjectOptions {
  /** The folder of the `node` and `npm` that commands find first. */
  readonly bin: string
  /** What a command becomes before it is run. */
  readonly prepare?: (command: string) => Promise<string> | string
}

/** What `…/file.ts run` does: Vite loads the file, with the plugin over `skills/*`. */
const LOAD = `
import embedSkills from 'unplugin-embed-skills/vite'
import { createServer } from 'vite'

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  plugins: [embedSkills('skills/*')],
  server: { middlewareMode: true, ws: false },
})
await server.ssrLoadModule(process.argv[2])
await server.close()
`

/** A folder outside of the repository, in which the snippets of a text are done one after the other. */
export class Project {
  readonly folder: string
  readonly #options: ProjectOptions
  readonly #written = new Set<string>()
  #server: { readonly process: ChildProcess; readonly origin: string } | undefined
  #output = ''

  constructor(folder: string, options: ProjectOptions) {
    this.folder = folder
    this.#options = options
  }

  static async create(options: ProjectOptions): Promise<Project> {
    return new Project(await realpath(await mkdtemp(path.join(tmpdir(), 'embed-skills-docs-'))), options)
  }

  /**
   * Does all steps, and checks the types of what was written.
   *
   * @throws Error with the place of the first snippet that does not do what the text says.
   */
  async follow(steps: readonly Step[]): Promise<string> {
    try {
      for (const step of steps) await this.#do(step)
      await this.#checkTypes()
      return `${steps.length} steps done`
    } finally {
      await this.#stop()
    }
  }

  async write(file: string, text: string): Promise<void> {
    const target = path.join(this.folder, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, text)
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  async #do(step: Step): Promise<void> {
    const { place, text } = step.snippet
    switch (step.kind) {
      case 'output':
        if (!isOutput(text, this.#output))
          throw new Error(`${place} shows\n${text}\nwhere there was\n${this.#output}`)
        return
      case 'serve':
        return this.#serve(text, place)
      case 'run':
        return this.#run(text, place, step.fails)
      case 'file':
        // What is replaced has to be right as well.
        if (this.#written.has(step.path)) await this.#checkTypes()
        await this.write(step.path, text)
        this.#written.add(step.path)
        if (!step.runs) return
        await this.write('node_modules/.cache/load.mjs', LOAD)
        return this.#run(`node node_modules/.cache/load.mjs ./${step.path}`, place)
    }
  }

  async #checkTypes(): Promise<void> {
    const isTyped = [...this.#written].some((file) => file.endsWith('.ts'))
    if (!isTyped || !existsSync(path.join(this.folder, 'tsconfig.json'))) return
    const before = this.#output
    await this.#run('npx tsc', `${[...this.#written].join(', ')}: tsc`)
    this.#output = before
  }

  /** Runs a command. What it prints, on its standard output first, is what an output is compared with. */
  async #run(command: string, place: string, fails = false): Promise<void> {
    const child = await this.#start(command)
    let [out, err] = ['', '']
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (out += chunk))
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (err += chunk))
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    this.#output = stripVTControlCharacters(out + err)
    if ((code !== 0) !== fails) throw new Error(`${place} ended with ${code}:\n${this.#output}`)
  }

  /** Starts what goes on until the next server, or the end. Later commands reach it, whatever its port. */
  async #serve(command: string, place: string): Promise<void> {
    await this.#stop()
    const child = await this.#start(command)
    let output = ''
    const origin = await new Promise<string>((resolve, reject) => {
      const read = (chunk: string): void => {
        output += stripVTControlCharacters(chunk)
        const [, found] = /(http:\/\/localhost:\d+)/.exec(output.slice(output.indexOf('Local:'))) ?? []
        if (found && output.includes('Local:')) resolve(found)
      }
      child.stdout!.setEncoding('utf8').on('data', read)
      child.stderr!.setEncoding('utf8').on('data', read)
      child.on('close', (code) => reject(new Error(`${place} ended with ${code}:\n${output}`)))
    })
    this.#server = { process: child, origin }
  }

  async #start(command: string): Promise<ChildProcess> {
    const prepared = (await this.#options.prepare?.(command)) ?? command
    const origin = this.#server?.origin
    const reached = origin ? prepared.replaceAll(/http:\/\/localhost:\d+/g, origin) : prepared
    return spawn('sh', ['-ec', reached], {
      cwd: this.folder,
      // A group of its own, which is stopped as a whole.
      detached: true,
      env: environment(this.#options.bin, this.folder),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  async #stop(): Promise<void> {
    const child = this.#server?.process
    this.#server = undefined
    if (!child || child.exitCode !== null) return
    const closed = new Promise((resolve) => child.on('close', resolve))
    process.kill(-child.pid!)
    await closed
  }
}

const OURS = /^(npm_.*|pnpm_.*|vite.*|node_env|node_options|node_path|test|dev|prod|ssr|mode|base_url)$/i
const KEPT = /^npm_config_(registry|cache|userconfig)$/i

/** What a person's shell would hold: nothing of the npm, pnpm or vitest that run the tests. */
function environment(bin: string, folder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name) || !OURS.test(name))
  const paths = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((part) => !part.includes('node_modules'))
  return {
    ...Object.fromEntries(kept),
    PATH: [bin, ...paths].join(path.delimiter),
    // Nothing is asked of hosts other than the registry.
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_SEND_METRICS: 'false',
    // What the snippets approve is no setting of the person who runs the tests.
    XDG_CONFIG_HOME: path.join(folder, 'node_modules/.cache/config'),
    // The Inspector keeps nothing of that person either.
    MCP_STORAGE_DIR: path.join(folder, 'node_modules/.cache/inspector'),
    MCP_CATALOG_PATH: path.join(folder, 'node_modules/.cache/inspector/mcp.json'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
}
