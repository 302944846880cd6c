import path from 'node:path'
import type { SkillHostOptions } from '../options.ts'
import { SkillHost } from '../host.ts'
import { configFolder } from './config-folder.ts'
import { fileApprovals } from './file-approvals.ts'

/**
 * A host that remembers approvals from one run to the next, in `approvalsFile(name)`. It is written with the first
 * approval, and not before.
 *
 * @param name Of the program: what is approved for one is not for another.
 * @param options As `SkillHost` takes them; `approvals` keeps them elsewhere.
 * @throws TypeError as `approvalsFile` does.
 *
 * @example
 * const host = createSkillHost('my-host', { onApprovalRequired: ({ skill }) => confirm(skill.description) })
 */
export function createSkillHost(name: string, options: SkillHostOptions = {}): SkillHost {
  const file = approvalsFile(name)
  return new SkillHost({ ...options, approvals: options.approvals ?? fileApprovals(file) })
}

/**
 * Where `createSkillHost` keeps the approvals that a user gave to a program: `<name>/skill-approvals.json` in
 * `XDG_CONFIG_HOME` wherever that is set, else in `%APPDATA%` on Windows, `~/Library/Application Support` on macOS,
 * and `~/.config`.
 *
 * @throws TypeError if the name is not 1-64 letters, digits, `.`, `_` or `-`.
 */
export function approvalsFile(name: string): string {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw new TypeError(`"${name}" cannot be the name of a host: use 1-64 letters, digits, ".", "_" or "-".`)
  return path.join(configFolder(), name, 'skill-approvals.json')
}
