/** The client scenarios of the official conformance suite. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const suite = path.join(
  import.meta.dirname,
  '../node_modules/@modelcontextprotocol/conformance/dist/index.js',
)
const host = path.join(import.meta.dirname, 'support/conformance-client.ts')

test.each(['no-prefetch', 'verify-digest', 'verify-size', 'verify-frontmatter'])(
  'N18: sep-2640-client-%s',
  async (scenario) => {
    const command = `${process.execPath} ${host}`
    const args = [suite, 'client', '--command', command, '--scenario', `sep-2640-client-${scenario}`]
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      execFile(process.execPath, args, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      )
    })
    expect(output).toMatch(/Passed: 1\/1, 0 failed/)
    // A suite that skips its check passes as well.
    expect(output).not.toMatch(/SKIPPED/)
    expect(code).toBe(0)
  },
)
