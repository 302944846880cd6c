import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Diagnostic } from '@embed-skills/compiler'
import { formatDiagnostic, frameOf } from '@embed-skills/compiler'

/** A message as Rollup and Vite show it, with the place that it is about. */
export interface Log {
  message: string
  id?: string
  loc?: { file: string; line: number; column: number }
  frame?: string
}

/**
 * One log of several diagnostics: the first with its place, the others in full below it.
 *
 * @param messageOnly Put the place of the first into the message too, where nothing else would arrive.
 */
export function toLog(
  [first, ...others]: readonly Diagnostic[],
  root: string,
  messageOnly: boolean = false,
): Log {
  const { rule, message, help, file, line, column } = first!
  const id = path.join(root, file)
  const frame = frameOf(first!, { root })
  const [head, ...rest] = [first!, ...others].map((diagnostic) => formatDiagnostic(diagnostic, { root }))
  const short = `${file}: ${message} [${rule}]\n${help}`
  return {
    message: [messageOnly ? head : short, ...rest].join('\n\n'),
    id,
    // Rollup counts columns from 0.
    ...(line !== undefined && { loc: { file: id, line, column: (column ?? 1) - 1 } }),
    ...(frame !== undefined && { frame }),
  }
}

/** The log in one text, for bundlers that keep nothing but the message. */
export function toText({ message, loc, frame }: Log): string {
  if (frame === undefined) return message
  const [head, ...rest] = message.split('\n')
  const place = loc ? `:${loc.line}:${loc.column + 1}` : ''
  return [head!.replace(/^(.*?): /, `$1${place}: `), frame, ...rest].join('\n')
}

/** Diagnostics of one severity, those of a skill together. */
export function bySkill(
  diagnostics: readonly Diagnostic[],
  severity: Diagnostic['severity'],
): Diagnostic[][] {
  const groups = new Map<string, Diagnostic[]>()
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== severity) continue
    const key = diagnostic.skill ?? diagnostic.file
    groups.set(key, [...(groups.get(key) ?? []), diagnostic])
  }
  return [...groups.values()]
}

/** All errors in one log, since a build stops at the first that it is told; undefined if there are none. */
export function errorLog(
  diagnostics: readonly Diagnostic[],
  root: string,
  messageOnly: boolean = false,
): Log | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return errors.length ? toLog(errors, root, messageOnly) : undefined
}

/** Said when a set enters code that anybody can read. */
export function clientLog(id: string): Log {
  return {
    message: `${id} is bundled for browsers: every file of its skills becomes public.\nImport it from server code alone. If it is a server that you build, tell the bundler so (Vite: build.ssr, webpack: target, esbuild: platform).`,
  }
}

/** The text of the line that a log points to; empty if it is gone. */
export function lineOf({ file, line }: NonNullable<Log['loc']>): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[line - 1] ?? ''
  } catch {
    return ''
  }
}
