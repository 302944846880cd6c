import { readFileSync } from 'node:fs'
import path from 'node:path'
import { styleText } from 'node:util'
import type { Diagnostic, Severity } from './types.ts'
import { visible } from './visible.ts'

export interface FormatOptions {
  /** The folder that the diagnostic's `file` is relative to. */
  readonly root: string
  /** ANSI colours; none by default. */
  readonly colour?: boolean
  /** The text of an absolute file, for the lines around the place; undefined if there is none. */
  readonly read?: (file: string) => string | undefined
}

const COLOURS = { error: 'red', warning: 'yellow', info: 'blue' } as const satisfies Record<Severity, string>

/**
 * A diagnostic for people: `file:line:column severity message [rule]`, the lines around the place, the help.
 */
export function formatDiagnostic(diagnostic: Diagnostic, options: FormatOptions): string {
  const { rule, severity, message, help, file, line, column } = diagnostic
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    options.colour ? styleText(style, text, { validateStream: false }) : text
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  const lines = [
    `${paint('bold', visible(place))} ${paint(COLOURS[severity], severity)} ${message} ${paint('dim', `[${rule}]`)}`,
  ]
  const frame = frameOf(diagnostic, options)
  if (frame !== undefined) lines.push(paint('dim', frame))
  lines.push(`${paint('cyan', 'help:')} ${help}`)
  return lines.join('\n')
}

/** The code frame of a diagnostic that has a place in a file that can be read. */
export function frameOf(diagnostic: Diagnostic, options: FormatOptions): string | undefined {
  const { file, line, column } = diagnostic
  if (line === undefined) return undefined
  const source = (options.read ?? readText)(path.join(options.root, file))
  return source === undefined ? undefined : codeFrame(source, line, column ?? 1)
}

/** `2 errors, 1 warning`; empty if there is nothing to say. */
export function summarize(diagnostics: readonly Diagnostic[]): string {
  const counted = (['error', 'warning', 'info'] as const).map((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
    const plural = count === 1 || severity === 'info' ? severity : `${severity}s`
    return count === 0 ? undefined : `${count} ${plural}`
  })
  return counted.filter((part) => part !== undefined).join(', ')
}

const AROUND = 2
const WIDTH = 100

/** The lines around a place (1-based), a caret below it. Long lines are cut to what is near the caret. */
export function codeFrame(source: string, line: number, column: number): string {
  const lines = source.split(/\r?\n/)
  const first = Math.max(1, line - AROUND)
  const last = Math.min(lines.length, line + AROUND)
  const gutter = String(last).length
  const from = Math.max(0, column - WIDTH + 20)
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    // Control characters of the file would reach the terminal.
    const text = lines[number - 1]!.slice(from, from + WIDTH).replaceAll(/\p{Cc}/gu, ' ')
    const mark = number === line ? '>' : ' '
    frame.push(`${mark} ${String(number).padStart(gutter)} | ${text}`.trimEnd())
    if (number === line) frame.push(`  ${' '.repeat(gutter)} | ${' '.repeat(column - 1 - from)}^`)
  }
  return frame.join('\n')
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
