import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import own from '../package.json' with { type: 'json' }

/** Why there is no Chromium to test with, if there is none. */
export const noChromium: string | undefined =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : 'the Chromium of the package registry runs on Linux on x64 alone'

const version = own.devDependencies['@sparticuz/chromium']
const cache = path.join(import.meta.dirname, '../node_modules/.cache')
const folder = path.join(cache, `chromium-${version}`)

/** What unpacks the browser, its libraries and its fonts into the folder for temporary files. */
const UNPACK = `
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
const bin = path.join(path.dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin')
for (const file of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']) await inflate(path.join(bin, file))
`

/** Starts the Chromium that the package registry has, with nothing of the machine but the C library. */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(folder)) await unpack()
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_PATH: path.join(folder, 'fonts'),
    },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

async function unpack(): Promise<void> {
  // In a process of its own, since the package unpacks where all temporary files go.
  await mkdir(cache, { recursive: true })
  const partial = await mkdtemp(`${folder}-`)
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: partial },
  })
  try {
    await rename(partial, folder)
  } catch (error) {
    // Another test was faster.
    await rm(partial, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}
