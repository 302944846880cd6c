import type { LockChanges, SkillChange } from './compare.ts'

/** The changes for a terminal or a build log; empty if there are none. */
export function formatChanges({ added, removed, changed }: LockChanges): string {
  const parts: string[] = []
  if (changed.length > 0) {
    parts.push('Changed, so that users who approved them will be asked again:')
    for (const change of changed) parts.push(`  ${change.path}`, ...fileLines(change))
  }
  if (added.length > 0) parts.push('New, approved by nobody yet:', ...added.map((path) => `  ${path}`))
  if (removed.length > 0)
    parts.push('Gone, also for those who use them now:', ...removed.map((path) => `  ${path}`))
  return parts.join('\n')
}

function fileLines({ added, removed, changed, lineEndings }: SkillChange): string[] {
  const note = (file: string): string =>
    lineEndings.includes(file)
      ? `${file} (line endings alone: see \`* text=auto eol=lf\` in .gitattributes)`
      : file
  return [
    ...changed.map((file) => `    ~ ${note(file)}`),
    ...added.map((file) => `    + ${file}`),
    ...removed.map((file) => `    - ${file}`),
  ]
}

/** The changes in Markdown, for the summary of a pull request. */
export function summarizeChanges({ added, removed, changed }: LockChanges): string {
  if (added.length + removed.length + changed.length === 0) {
    return '### Skills\n\nNo skill changes: every approval stays.\n'
  }
  const counted = [
    changed.length > 0 && `${changed.length} changed`,
    added.length > 0 && `${added.length} new`,
    removed.length > 0 && `${removed.length} gone`,
  ]
  const rows = [
    ...changed.map((change) => [
      change.path,
      'changed: users will be asked to approve it again',
      filesOf(change),
    ]),
    ...added.map((path) => [path, 'new: approved by nobody yet', '']),
    ...removed.map((path) => [path, 'gone, also for those who use it now', '']),
  ]
  const lines = rows.map(([path, what, files]) => `| ${code(path!)} | ${what} | ${files} |`)
  return `### Skills: ${counted.filter(Boolean).join(', ')}

| skill | what a deploy does | files |
|---|---|---|
${lines.join('\n')}
`
}

function filesOf({ added, removed, changed, lineEndings }: SkillChange): string {
  const cells = [
    ...changed.map((file) => `~ ${code(file)}${lineEndings.includes(file) ? ' (line endings alone)' : ''}`),
    ...added.map((file) => `+ ${code(file)}`),
    ...removed.map((file) => `- ${code(file)}`),
  ]
  return cells.join('<br>')
}

/** Any name as code in the cell of a table. */
function code(name: string): string {
  const text = name.replaceAll('|', '\\|').replaceAll(/\s/g, ' ')
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}
