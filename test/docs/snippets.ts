/** A fenced block of a Markdown file. */
export interface Snippet {
  /** `docs/vite.md:12`, where the fence opens. */
  readonly place: string
  readonly language: string
  /** What follows the language in the info string. */
  readonly info: string
  /** What the fence holds, with a line feed at the end. */
  readonly text: string
}

/** What a test does with a snippet. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly runs: boolean; readonly snippet: Snippet }
  | { readonly kind: 'run'; readonly fails: boolean; readonly snippet: Snippet }
  | { readonly kind: 'serve'; readonly snippet: Snippet }
  | { readonly kind: 'output'; readonly snippet: Snippet }

/** The info string of backticks holds none. */
const FENCE = /^(\s*)(`{3,}(?=[^`]*$)|~{3,})(.*)$/

/** Every fenced block of a Markdown text, in order. */
export function snippetsOf(markdown: string, file: string): Snippet[] {
  const found: Snippet[] = []
  let fence: { mark: string; snippet: Snippet; lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, indent, mark = '', rest = ''] = FENCE.exec(line) ?? []
    if (fence) {
      if (mark.startsWith(fence.mark) && rest.trim() === '') {
        found.push({ ...fence.snippet, text: fence.lines.map((text) => `${text}\n`).join('') })
        fence = undefined
      } else fence.lines.push(line)
    } else if (mark) {
      const place = `${file}:${index + 1}`
      if (indent) throw new Error(`${place}: a snippet begins at the start of its line`)
      const [language = '', ...words] = rest.trim().split(/\s+/)
      fence = { mark, snippet: { place, language, info: words.join(' '), text: '' }, lines: [] }
    }
  }
  if (fence) throw new Error(`${fence.snippet.place}: the snippet is not closed`)
  return found
}

/**
 * What to do with the snippets of a text, in order. Those that are not run say why.
 *
 * @throws Error for a snippet that does not say what it is.
 */
export function stepsOf(snippets: readonly Snippet[]): Step[] {
  return snippets.flatMap((snippet): Step[] => {
    const { language, info, place } = snippet
    if (/^not-run: ..+/.test(info)) return []
    if (info === 'output') return [{ kind: 'output', snippet }]
    if (language === 'sh' && info === 'serve') return [{ kind: 'serve', snippet }]
    if (language === 'sh' && (info === '' || info === 'fails'))
      return [{ kind: 'run', fails: info === 'fails', snippet }]
    const [, path, run] = /^([\w./-]+\.\w+)( run)?$/.exec(info) ?? []
    if (path) return [{ kind: 'file', path, runs: run !== undefined, snippet }]
    throw new Error(
      `${place}: say in the info string what this snippet is: a file's path, "output" or "not-run: <why>"`,
    )
  })
}

/**
 * Whether an output is what a text shows. There `…` stands for the rest of a line, and alone on a line
 * for any number of lines.
 */
export function isOutput(shown: string, output: string): boolean {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line === '…' ? '(?:.*\n)*' : `${line.split('…').map(escape).join('.*')} *\n`))
  return new RegExp(`^\\s*${pattern.join('')}\\s*$`).test(`${output.trimEnd()}\n`)
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
