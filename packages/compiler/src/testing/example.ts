import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { compileFrom } from '../compile.ts'
import { resolveOptions } from '../options.ts'
import { createDisk } from '../read/disk.ts'
import type { RawDisk } from '../read/disk.ts'
import type { Example } from '../rules/rule.ts'
import type { CompileResult } from '../types.ts'
import { Link, tree } from './tree.ts'

/** Writes the files of a rule's example and compiles them. */
export function compileExample({ files, sources = 'skills/*', rules = {} }: Example): Promise<CompileResult> {
  const regular: Record<string, string | Uint8Array | Link> = {}
  const pipes: string[] = []
  const unreadable: string[] = []
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'string' || content instanceof Uint8Array) regular[name] = content
    else if ('link' in content) regular[name] = new Link(content.link)
    else if (content.special === 'pipe') pipes.push(name)
    else {
      regular[name] = ''
      unreadable.push(name)
    }
  }
  const root = tree(regular)
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, path.join(root, '~'))
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const name of pipes) execFileSync('mkfifo', [path.join(root, name)])
  const disk = createDisk(refusing(unreadable.map((name) => path.join(root, name))))
  return compileFrom(disk, resolveOptions(sources, { root, rules }))
}

/** The real disk, which refuses to read some files: whoever runs the tests may be allowed to read them all. */
function refusing(files: readonly string[]): RawDisk {
  return {
    readdirSync: fs.readdirSync,
    promises: fs.promises,
    readFileSync: ((file: string) => {
      if (files.includes(file)) throw Object.assign(new Error('refused'), { code: 'EACCES' })
      return fs.readFileSync(file)
    }) as RawDisk['readFileSync'],
  }
}
