import path from 'node:path'
import type { Content, EmitFilesOptions } from '@embed-skills/compiler'
import type { Arguments, Io } from '../command.ts'
import { UsageError } from '../command.ts'

/** What a command line says of a build, beside what is built. */
export interface BuildOptions {
  /** Relative to where the command runs. */
  readonly out: string
  /** `undefined`: chosen by size. */
  readonly content: Content | undefined
  readonly encoding: NonNullable<EmitFilesOptions['encoding']>
  readonly isWatching: boolean
  readonly isCheck: boolean
}

/** @throws UsageError for what no build can do. */
export function resolveBuildOptions({ values }: Arguments, { cwd }: Io): BuildOptions {
  const { out, content, encoding = 'utf8', watch = false, check = false } = values
  if (typeof out !== 'string') throw new UsageError('Say what to write: --out src/skills.ts')
  if (!/\.m?[jt]s$/.test(out) || /\.d\.m?ts$/.test(out))
    throw new UsageError(`--out ends in .ts, .mts, .js or .mjs, not ${JSON.stringify(path.basename(out))}`)
  oneOf('--content', content ?? 'inline', ['inline', 'chunks', 'pack'])
  oneOf('--encoding', encoding, ['utf8', 'base64'])
  if (watch && check) throw new UsageError('--check compares once: leave --watch out')
  return {
    out: path.relative(cwd, path.resolve(cwd, out)),
    content: content as Content | undefined,
    encoding: encoding as BuildOptions['encoding'],
    isWatching: watch === true,
    isCheck: check === true,
  }
}

function oneOf(option: string, value: unknown, allowed: readonly string[]): void {
  if (!allowed.includes(value as string))
    throw new UsageError(`${option} is one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`)
}
