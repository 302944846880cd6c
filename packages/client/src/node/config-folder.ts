import { homedir } from 'node:os'
import path from 'node:path'

/** What tells where a user's programs keep what they are told. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/**
 * The user's folder for settings of programs: `XDG_CONFIG_HOME` wherever it is set, else `%APPDATA%` on Windows,
 * `~/Library/Application Support` on macOS, and `~/.config`.
 */
export function configFolder({ platform, env, home }: Machine = thisMachine()): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: roaming } = env
  // The specification has relative ones ignored.
  if (xdg && path.isAbsolute(xdg)) return xdg
  if (platform === 'win32') return roaming || path.join(home, 'AppData', 'Roaming')
  return platform === 'darwin'
    ? path.join(home, 'Library', 'Application Support')
    : path.join(home, '.config')
}

function thisMachine(): Machine {
  return { platform: process.platform, env: process.env, home: homedir() }
}
