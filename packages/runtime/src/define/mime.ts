const UNKNOWN = 'application/octet-stream'

/** The types of what skills are made of, as the compiler says them too. It knows more. */
const TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'text/markdown': 'md markdown',
    'text/plain': 'txt text log',
    'application/json': 'json',
    'application/jsonl': 'jsonl',
    'application/yaml': 'yaml yml',
    'application/toml': 'toml',
    'application/xml': 'xml',
    'text/csv': 'csv',
    'text/html': 'html htm',
    'text/css': 'css',
    'text/javascript': 'js mjs cjs',
    'text/typescript': 'ts mts cts',
    'text/x-python': 'py',
    'application/x-sh': 'sh bash',
    'text/x-sql': 'sql',
    'image/svg+xml': 'svg',
    'image/png': 'png',
    'image/jpeg': 'jpg jpeg',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'application/pdf': 'pdf',
    'application/zip': 'zip',
  }).flatMap(([type, extensions]) => extensions.split(' ').map((extension) => [extension, type] as const)),
)

/** The MIME type of a file by its extension; `application/octet-stream` if it is not known. */
export function mimeType(path: string): string {
  const [, extension = ''] = /[^/]\.([a-z\d]+)$/i.exec(path) ?? []
  const key = extension.toLowerCase()
  return Object.hasOwn(TYPES, key) ? TYPES[key]! : UNKNOWN
}
