import os from 'node:os'
import type { SharedSourceOptions, Vendor, VendorSource } from '../types.ts'

/** Where each agent looks for skills: below a project, and below the home directory. */
const FOLDERS: Readonly<Record<Vendor, { project: readonly string[]; user: readonly string[] }>> = {
  claude: { project: ['.claude/skills'], user: ['.claude/skills'] },
  cursor: { project: ['.cursor/skills'], user: ['.cursor/skills'] },
  copilot: { project: ['.github/skills'], user: ['.copilot/skills'] },
  codex: { project: ['.agents/skills', '.codex/skills'], user: ['.agents/skills', '.codex/skills'] },
  gemini: { project: ['.gemini/skills'], user: ['.gemini/skills'] },
  goose: { project: ['.goose/skills'], user: ['.config/goose/skills', '.config/agents/skills'] },
  opencode: { project: ['.opencode/skills'], user: ['.config/opencode/skills'] },
}

/**
 * The skills that a coding agent finds in this project: `vendorSkills('claude')` is `.claude/skills/*`.
 *
 * @param vendor `claude`, `cursor`, `copilot`, `codex`, `gemini`, `goose` or `opencode`.
 * @param options `scope: 'user'` takes those of the home directory instead, with a warning.
 * @throws {TypeError} for an agent or a scope that is not known.
 * @example
 * embedSkills(['skills/*', vendorSkills('claude', { prefix: 'claude' })])
 */
export function vendorSkills(
  vendor: Vendor,
  options: SharedSourceOptions & Pick<VendorSource, 'scope'> = {},
): VendorSource {
  vendorGlob(vendor, options.scope ?? 'project')
  return { ...options, vendor }
}

/** @throws {TypeError} for an agent or a scope that is not known. */
export function vendorGlob(vendor: Vendor, scope: 'project' | 'user'): string {
  if (!Object.hasOwn(FOLDERS, vendor)) {
    throw new TypeError(`There is no agent '${vendor}'. There are ${Object.keys(FOLDERS).join(', ')}`)
  }
  if (scope !== 'project' && scope !== 'user') {
    throw new TypeError(`The scope is 'project' or 'user', not ${JSON.stringify(scope)}`)
  }
  const [first, ...others] = FOLDERS[vendor][scope]
  return others.length === 0 ? `${first}/*` : `{${[first, ...others].join(',')}}/*`
}

export function vendorHome(): string {
  return os.homedir()
}
