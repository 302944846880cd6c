/** The folders that agents look into for skills of the user's own. */
import { realpathSync } from 'node:fs'
import path from 'node:path'

/** Why such a folder is not written to. */
export function whyScanned(folder: string): string {
  return `agents take what lies in ${folder} for the user's own skills, allowed-tools included. Use another folder, or set \`install\`, as \`embed-skills pull --install\` does.`
}

/** Variables that move a host's own folder to another place. */
const HOMES = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME', 'OPENCODE_CONFIG_DIR']

/**
 * Whether some host takes what lies in a folder for the user's own skills, and so trusts it:
 * `.claude/skills`, `.cursor/skills`, `.config/opencode/skill`, `/etc/codex/skills` and all that are
 * named like these. New hosts keep appearing, so this goes by the pattern and not by a list: `skills`
 * somewhere below a folder whose name begins with a dot. `.cache` is nobody's.
 */
export function isScannedFolder(folder: string): boolean {
  const real = realPath(path.resolve(folder))
  const segments = real.split(path.sep).map((segment) => segment.toLowerCase())
  const last = segments.findLastIndex((segment) => segment === 'skills' || segment === 'skill')
  const above = segments.slice(0, Math.max(last, 0))
  if (above.some((segment) => /^\.(?!cache$)./.test(segment)) || above[1] === 'etc') return true
  return HOMES.some((variable) => {
    const home = process.env[variable]
    return home ? isBelow(real, realPath(path.resolve(home, 'skills'))) : false
  })
}

function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file)
  return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative))
}

/** With links followed, as far as the path exists. */
function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    const above = path.dirname(file)
    return above === file ? file : path.join(realPath(above), path.basename(file))
  }
}
