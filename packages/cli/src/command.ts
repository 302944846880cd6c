import type { ParseArgsConfig } from 'node:util'

/** Where a command writes to and what it stands in; replaced in tests. */
export interface Io {
  readonly cwd: string
  /** Whether colours make sense: both streams are terminals, and neither `NO_COLOR` nor `TERM=dumb` is set. */
  readonly isTerminal: boolean
  out(text: string): void
  err(text: string): void
  /** Replaces one line on a terminal; left out where there is none. */
  progress?(text: string): void
}

/** What a command was called with, as `node:util` parses it. */
export interface Arguments {
  readonly positionals: readonly string[]
  /** Those of them that came after `--`. */
  readonly afterDashes: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>
}

/** One command of `embed-skills`, in a file of its own that is loaded when it is called. */
export interface Command {
  /** What it does, in one line. */
  readonly summary: string
  /** What follows `embed-skills` on the command line. */
  readonly usage: string
  /** What arguments and options mean, for `--help`. */
  readonly details?: string
  /** When its exit code is 0 and when 1, for `--help`. */
  readonly ends: string
  readonly options: NonNullable<ParseArgsConfig['options']>
  /** Gives the exit code: 0 for success, 1 for what the command reports. Throws a `UsageError` for 2. */
  run(args: Arguments, io: Io): Promise<number>
}

/** The command line is wrong: exit code 2, with the message and the usage. */
export class UsageError extends Error {}
