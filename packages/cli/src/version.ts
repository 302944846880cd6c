import { readFileSync } from 'node:fs'

/** The version of this package. Its package.json lies one folder up, from the sources and from the build. */
export function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return String(version)
}
