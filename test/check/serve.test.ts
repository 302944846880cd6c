import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cli, cliFile } from '../support/cli.ts'

const root = path.join(import.meta.dirname, '../../playground/worker')
const info = { name: 'test', version: '1.0.0' }

/** Reads every file of every skill through the official client, which verifies it, and compares it with the disk. */
async function readAll(client: Client): Promise<string[]> {
  const reader = new SkillsClient(client)
  const { skills } = await reader.list()
  for (const { uri } of skills) {
    const { skill } = await reader.get(uri)
    for (const { uri: file } of skill.resources as { uri: string }[]) {
      const served = await reader.read(skill, file)
      expect(served.verified).toBe(true)
      const below = decodeURIComponent(file.slice('skill://'.length))
      expect(Buffer.compare(fs.readFileSync(path.join(root, 'skills', below)), served.bytes)).toBe(0)
    }
  }
  return skills.map(({ uri }) => uri)
}

const uris = [
  'skill://brand-kit/SKILL.md',
  'skill://code-review/SKILL.md',
  'skill://incident-response/SKILL.md',
  'skill://incident-response/postmortem/SKILL.md',
  'skill://localised-copy/SKILL.md',
  'skill://release-notes/SKILL.md',
  'skill://windows-support/SKILL.md',
]

describe('over stdin and stdout', () => {
  test.each(['auto', 'legacy'] as const)('the official client verifies every file (%s)', async (mode) => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cliFile, 'serve', 'skills/**'],
      cwd: root,
      stderr: 'ignore',
    })
    const client = new Client(info, { versionNegotiation: { mode } })
    await client.connect(transport)
    onTestFinished(() => client.close())
    expect(await readAll(client)).toEqual(uris)
  })

  test('what is no JSON gets an error, a notification no answer, and the end of input ends it', async () => {
    const child = spawn(process.execPath, [cliFile, 'serve', 'skills/*'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const lines = [
      '{',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":1,"method":"nonsense"}',
      '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    ]
    child.stdin.end(`${lines.join('\n')}\n\n`)
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(0)
    const answers = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; error?: { code: number } })
    expect(answers.map(({ id, error }) => [id, error?.code]).sort()).toEqual(
      [
        [1, -32601],
        [2, undefined],
        [null, -32700],
      ].sort(),
    )
  })
})

describe('over HTTP', () => {
  /** Starts the server and gives its URL. */
  async function start(): Promise<string> {
    const child = spawn(process.execPath, [cliFile, 'serve', 'skills/**', '--http', '0'], { cwd: root })
    onTestFinished(() => void child.kill())
    let said = ''
    return new Promise((resolve, reject) => {
      child.stderr.on('data', (chunk) => {
        said += String(chunk)
        const url = /http:\S+/.exec(said)?.[0]
        if (url !== undefined) resolve(url)
      })
      child.once('close', () => reject(new Error(said)))
    })
  }

  test.each(['auto', 'legacy'] as const)('the official client verifies every file (%s)', async (mode) => {
    const client = new Client(info, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(await start())))
    expect(await readAll(client)).toEqual(uris)
    await client.close()
  })

  test('pages of other sites are refused, by their origin and by the name that they ask for', async () => {
    const url = await start()
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const post = (headers: Record<string, string>): Promise<number> =>
      fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }).then(
        ({ status }) => status,
      )
    expect(await post({})).toBe(200)
    expect(await post({ origin: 'https://evil.example' })).toBe(403)
    const { status } = await rawPost(url, 'evil.example')
    expect(status).toBe(403)
  })
})

/** A request whose `Host` says another name than the address, which `fetch` does not send. */
async function rawPost(url: string, host: string): Promise<{ status: number }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { host } }, (response) => {
      response.resume()
      resolve({ status: response.statusCode! })
    })
    sent.once('error', reject)
    sent.end('{}')
  })
}

test('the Inspector lists and reads what is served', async () => {
  const require = createRequire(import.meta.url)
  const manifest = require.resolve('@modelcontextprotocol/inspector/package.json')
  const { bin } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> }
  const inspector = path.join(path.dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]!)
  const run = (...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn(
        process.execPath,
        [inspector, '--cli', process.execPath, cliFile, 'serve', 'skills/*', ...args],
        { cwd: root },
      )
      let [output, errors] = ['', '']
      child.stdout.on('data', (chunk) => (output += String(chunk)))
      child.stderr.on('data', (chunk) => (errors += String(chunk)))
      child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(errors || output))))
    })
  const listed = JSON.parse(await run('--method', 'resources/list')) as { resources: { uri: string }[] }
  expect(listed.resources.map(({ uri }) => uri)).toContain('skill://code-review/SKILL.md')
  const read = await run('--method', 'resources/read', '--uri', 'skill://code-review/SKILL.md')
  expect(read).toContain('name: code-review')
})

test('skills with errors are left out and told on stderr; without any other there is no server', async () => {
  const { code, stdout, stderr } = await cli(root, ['serve', 'node_modules_none/*'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('There is no skill without errors to serve.')
})
