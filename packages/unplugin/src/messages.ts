import path from 'node:path'
import type { Diagnostic } from '@embed-skills/compiler'
import { formatDiagnostic, frameOf } from '@embed-skills/compiler'

/** A message as Rollup and Vite show it, with the place that it is about. */
export interface Log {
  message: string
  id: string
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
