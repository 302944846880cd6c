import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** What some tool on the way from a file to a bundle has changed, cut, or acted upon. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  defines: 'process.env.NODE_ENV import.meta.env.MODE import.meta.url __VITE_PRELOAD__ __dirname __filename',
  calls: 'require("fs") import("./x.js") import.meta.glob("*") new URL("./a.png", import.meta.url)',
  templates: '`${process.env.NODE_ENV}` ${x} \\${y} \\` ` $& $1 $$ $` %s {{x}} <%= x %>',
  html: '</script><script>alert(1)</script> <!-- --> <![CDATA[ ]]> </style>',
  maps: 'x\n//# sourceMappingURL=evil.map\n/*# sourceMappingURL=evil.map */\n//@ sourceURL=evil.js\n',
  comments:
    '/* @__PURE__ */ // @ts-ignore\n/* webpackChunkName: "x" */ /*! @license */ /* istanbul ignore */',
  separators: 'a\u2028b\u2029c\u0085d\u00a0e\ufefff\u200bg\u202eh',
  escapes: String.raw`\n \u0041 \x41 \0 \\ \' \" \u{1F600} \
end`,
  controls: '\u0001\u0007\b\u000b\f\u001b[31mred\u001b[0m\u007f',
  quotes: `"double" 'single' \`tick\` "\\"`,
  unicode: 'é e\u0301 日本語 😀 𝒳 👨‍👩‍👧 \u{10FFFF} \uFFFD \uD7FF',
  prototype: '__proto__ constructor toString hasOwnProperty valueOf then default',
  crlf: 'one\r\ntwo\r\nthree',
  cr: 'one\rtwo\rthree\r',
  mixed: 'one\r\ntwo\nthree\rfour\n\r',
  bom: '\uFEFF# with a mark\n',
  bomInside: 'before\uFEFFafter',
  blanks: ' \t trailing  \n\n\n',
  json: '{"__proto__": {"x": 1}, "a": "b"}',
  css: 'a { background: url(./x.png) } @import "y.css";',
  webpack:
    '__webpack_require__ __webpack_public_path__ __webpack_modules__ module.hot import.meta.webpackHot',
  paths: 'a//b a/./b a/../b file:///etc/passwd C:\\x \\\\server\\share',
  strict: '"use strict"; with (x) {} delete y; 0777; <!-- html comment\n--> also',
  long: 'x'.repeat(70_000),
}

const BYTES: Readonly<Record<string, Uint8Array>> = {
  'empty.txt': new Uint8Array(),
  'nul.txt': Buffer.from('a\0b//c\0'),
  'all.bin': Uint8Array.from({ length: 256 }, (_, byte) => byte),
  'latin1.txt': Buffer.from('caf\xe9', 'latin1'),
  'utf16.txt': Buffer.from('\uFEFFwide', 'utf16le'),
  'surrogate.txt': Buffer.from([0xed, 0xa0, 0x80]),
  'overlong.txt': Buffer.from([0xc0, 0x80]),
}

/** Names that are an id, a query, an expression or a path to somebody. */
const NAMES = [
  '50% off #1.md',
  'Q&A?skill=1.md',
  '日本語.md',
  'Français – ton.md',
  'e\u0301.md',
  '(a) [b] {c}.md',
  '__proto__',
  'constructor',
  'process.env.NODE_ENV.md',
  'import.meta.env.md',
  '${x}.md',
  '`tick`.md',
  "quote's.md",
  '"double".md',
  '<!--.md',
  'a\u2028b.md',
  'style.css',
  'data.json',
  'module.js',
  'types.d.ts',
  '😀.txt',
  `${'long'.repeat(50)}.md`,
  'SKILL.md.md',
  '~',
  '+',
]

const DESCRIPTION = Object.values(HOSTILE_TEXTS)
  .join(' ')
  .replaceAll(/[\p{Cc}\u2028\u2029\ufeff\ufffd]/gu, ' ')
  .slice(0, 900)

/** Writes skills that are as hostile as skills may be, and gives the globs that find them. */
export async function writeHostileTree(root: string): Promise<string[]> {
  const write = async (file: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), content)
  }
  const shared = 'equal bytes, of which there is one copy'
  await write('skills/contents/SKILL.md', skillMd('contents', DESCRIPTION))
  for (const [name, text] of Object.entries(HOSTILE_TEXTS))
    await write(`skills/contents/text/${name}.md`, text)
  for (const [name, bytes] of Object.entries(BYTES)) await write(`skills/contents/bytes/${name}`, bytes)
  await write('skills/contents/shared.md', shared)

  await write('skills/names/SKILL.md', `\uFEFF${skillMd('names', 'Holds names.').replaceAll('\n', '\r\n')}`)
  for (const name of NAMES) await write(`skills/names/${name}`, `This is ${name}`)
  for (const name of NAMES) await write(`skills/names/folders/${name}/inner.md`, shared)
  await mkdir(path.join(root, 'skills/names/nothing in here'), { recursive: true })

  await write('skills/names/nested/SKILL.md', skillMd('nested', 'Lies in another.'))
  await write('skills/names/nested/only.md', 'in both')
  await write('deep/a.b_c~d/1/constructor/SKILL.md', skillMd('constructor', 'Has a name with a meaning.'))
  return ['skills/**', 'deep/**']
}

function skillMd(name: string, description: string): string {
  const metadata = Object.entries(HOSTILE_TEXTS)
    .filter(([, text]) => !/[\p{Cc}\u2028\u2029\ufeff\ufffd]/u.test(text) && text.length < 1000)
    .map(([key, text]) => `  ${key}: ${JSON.stringify(text)}\n`)
  const keys = ['constructor', 'toString', 'then'].map((key) => `  ${key}: "is ${key}"\n`)
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\nmetadata:\n${metadata.join('')}${keys.join('')}---\n# ${name}\n`
}
