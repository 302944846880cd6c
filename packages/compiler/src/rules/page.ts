import type { SourceInput } from '../types.ts'
import { rules } from './index.ts'
import type { Example, Rule, Special } from './rule.ts'

/** The page of a rule, in Markdown: what it asks for, why, and an example of both kinds. */
export function rulePage(rule: Rule): string {
  const { id, severity, description, why, bad, good, fixed, strict } = rule
  const notes = [
    `Severity: **${severity}**.`,
    strict === true ? 'A warning with `strict: false`.' : '',
    fixed === true ? 'It cannot be turned off.' : '',
  ]
  return `# ${id}

${description} ${notes.filter(Boolean).join(' ')}

${why}

## Not like this

${exampleBlocks(bad)}

## But like this

${exampleBlocks(good)}
`
}

/** The list of all rules, in Markdown. */
export function rulesPage(): string {
  const rows = rules
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(
      ({ id, severity, description }) =>
        `| [${id}](${id}.md) | ${severity} | ${description.replaceAll('|', '\\|')} |`,
    )
  return `# Rules

Set by id: \`rules: { 'broken-link': 'error', 'body-length': 'off' }\`, in the
[configuration](../config.md) or in the options of the plugin. \`embed-skills explain <rule>\` prints a page.

| rule | severity | what it asks for |
|---|---|---|
${rows.join('\n')}
`
}

const SHOWN = 4

function exampleBlocks({ files, sources = 'skills/*', rules = {} }: Example): string {
  const entries = Object.entries(files)
  const blocks = entries.slice(0, SHOWN).map(([path, content]) => fileBlock(path, content))
  if (entries.length > SHOWN) blocks.push(`… and ${entries.length - SHOWN} more files.`)
  return [configBlock(sources, rules), ...blocks].filter(Boolean).join('\n\n')
}

/** Nothing, for the sources that all examples have. */
function configBlock(sources: SourceInput | readonly SourceInput[], rules: object): string {
  const config = {
    ...(sources !== 'skills/*' && { from: sources }),
    ...(Object.keys(rules).length > 0 && { rules }),
  }
  if (Object.keys(config).length === 0) return ''
  return `\`embed-skills.config.json\`:\n\n\`\`\`json\n${JSON.stringify(config, null, 2)}\n\`\`\``
}

const LANGUAGES: Readonly<Record<string, string>> = { md: 'md', sh: 'sh', json: 'json' }
const LINES = 12

function fileBlock(path: string, content: string | Uint8Array | Special): string {
  const name = `\`${path.replaceAll('`', '')}\``
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
    if ('link' in content) return `${name}: a symlink to \`${content.link}\`.`
    return `${name}: ${content.special === 'pipe' ? 'a named pipe' : 'a file that may not be read'}.`
  }
  const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1')
  if (text === '') return `${name}: an empty file.`
  const lines = text.replace(/\r?\n$/, '').split('\n')
  const shown = lines.slice(0, LINES).map(visible)
  if (lines.length > LINES) shown.push(`… and ${lines.length - LINES} more lines`)
  const language = LANGUAGES[path.slice(path.lastIndexOf('.') + 1)] ?? ''
  const note = typeof content === 'string' ? '' : ', in Latin-1'
  return `${name}${note}:\n\n\`\`\`\`${language}\n${shown.join('\n')}\n\`\`\`\``
}

/** Carriage returns, tabs and control characters as symbols, since a page would hide them. */
function visible(line: string): string {
  return line
    .replace(/\r$/, '␍')
    .replaceAll('\t', '→')
    .replaceAll(/[\u0080-\u009f]/g, '�')
}
