import { lookup } from 'mime-types'

const UNKNOWN = 'application/octet-stream'

/**
 * Where `mime-types` has nothing, or has what the extension means elsewhere: `.ts` is a video there, `.rs` XML.
 * The first lines are the official SDK's own table, so that both say the same.
 */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'text/markdown': 'md markdown',
    'application/yaml': 'yaml yml',
    'text/x-python': 'py pyi',
    'application/x-sh': 'sh bash zsh fish',
    'text/javascript': 'js mjs cjs',
    'text/typescript': 'ts mts cts',
    'application/xml': 'xml',
    'text/csv': 'csv',
    'text/tsx': 'tsx',
    'text/jsx': 'jsx',
    'text/mdx': 'mdx',
    'application/toml': 'toml',
    'application/jsonl': 'jsonl ndjson',
    'text/x-rust': 'rs',
    'text/x-go': 'go',
    'text/x-ruby': 'rb',
    'text/x-vue': 'vue',
    'text/x-svelte': 'svelte',
    'text/x-astro': 'astro',
    'text/x-java': 'java',
    'text/x-kotlin': 'kt kts',
    'text/x-swift': 'swift',
    'text/x-scala': 'scala',
    'text/x-csharp': 'cs',
    'text/x-php': 'php',
    'text/x-perl': 'pl pm',
    'text/x-lua': 'lua',
    'text/x-r': 'r',
    'text/x-dart': 'dart',
    'text/x-elixir': 'ex exs',
    'text/x-powershell': 'ps1 psm1',
    'text/x-sql': 'sql',
    'text/x-diff': 'diff patch',
    'text/x-org': 'org',
    'text/vnd.graphviz': 'dot gv',
    'text/plain': 'txt text log lock cfg conf ini properties tf bicep proto graphql gql j2 jinja tmpl',
  }).flatMap(([type, extensions]) => extensions.split(' ').map((extension) => [extension, type] as const)),
)

/** Files that are known by their whole name. */
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['dockerfile', 'text/x-dockerfile'],
  ['containerfile', 'text/x-dockerfile'],
  ['makefile', 'text/x-makefile'],
  ['gemfile', 'text/x-ruby'],
  ['rakefile', 'text/x-ruby'],
  ['license', 'text/plain'],
  ['licence', 'text/plain'],
  ['notice', 'text/plain'],
  ['copying', 'text/plain'],
  ['readme', 'text/plain'],
  ['changelog', 'text/plain'],
  ['codeowners', 'text/plain'],
  ['procfile', 'text/plain'],
])

/** The MIME type of a file name, without a charset; `application/octet-stream` if unknown. */
export function mimeType(name: string): string {
  const dot = name.lastIndexOf('.')
  if (dot <= 0) return BY_NAME.get(name.toLowerCase()) ?? UNKNOWN
  const extension = name.slice(dot + 1).toLowerCase()
  // With its dot, since `lookup` reads a bare word as an extension too.
  return BY_EXTENSION.get(extension) ?? (lookup(`.${extension}`) || UNKNOWN)
}

const TEXT_TYPE =
  /^text\/|[/+](?:json|yaml|xml|javascript|typescript|toml|jsonl|x-sh|sql|graphql|x-httpd-php|x-perl|x-tex|rtf|x-csh|postscript)$/

/** Whether files of a MIME type are text. One that nobody knows is not. */
export function isTextType(type: string): boolean {
  return TEXT_TYPE.test(type)
}
