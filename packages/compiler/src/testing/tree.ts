import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { compile } from '../compile.ts'
import type { CompileOptions, CompileResult, SourceInput } from '../types.ts'

/** Contents by path. A path that ends with `/` is a folder, and a `Link` a symlink. */
export type Tree = Readonly<Record<string, string | Uint8Array | Link>>

export class Link {
  readonly target: string

  constructor(target: string) {
    this.target = target
  }
}

/** Frontmatter that no rule objects to, and a body. */
export function skillMd(name: string, more = ''): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nBody.\n`
}

/** Writes a tree into a temporary folder, which is removed after the test, and returns that folder. */
export function tree(files: Tree, inside = ''): string {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'skills-'))
  onTestFinished(() => fs.rmSync(top, { recursive: true, force: true }))
  const root = path.join(top, inside)
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    fs.mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true })
    if (content instanceof Link) fs.symlinkSync(content.target, file)
    else if (!name.endsWith('/')) fs.writeFileSync(file, content)
  }
  return root
}

/** Compiles a tree. */
export function compileTree(
  files: Tree,
  sources: SourceInput | readonly SourceInput[] = 'skills/*',
  options: CompileOptions = {},
): Promise<CompileResult> {
  return compile(sources, { root: tree(files), ...options })
}

/** Compiles one `skills/a/SKILL.md`. */
export function compileOne(
  content: string | Uint8Array,
  options: CompileOptions = {},
): Promise<CompileResult> {
  return compileTree({ 'skills/a/SKILL.md': content }, 'skills/*', options)
}

/** The diagnostics as short lines: `skills/a/SKILL.md:2:7 error name: message`. */
export function lines({ diagnostics }: CompileResult): string[] {
  return diagnostics.map(({ file, line, column, severity, rule, message }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(':')
    return `${place} ${severity} ${rule}: ${message}`
  })
}

/** The rules that were broken, in order of place. */
export function broken({ diagnostics }: CompileResult): string[] {
  return diagnostics.map((diagnostic) => diagnostic.rule)
}
