/** What bundlers, minifiers and parsers have been seen to change, or may well act upon. */
import type { CompiledSkill } from '@embed-skills/compiler'
import { compile } from '@embed-skills/compiler'
import type { Tree } from './tree.ts'
import { writeTree } from './tree.ts'

/** Texts that somebody's code replaces, ends or interprets. */
const TEXTS = [
  'process.env.NODE_ENV',
  'process.env',
  'typeof process',
  'import.meta.env',
  'import.meta.env.MODE',
  'import.meta.env.SSR',
  'import.meta.hot',
  'import.meta.url',
  'import.meta.glob("./*.md")',
  'import("./other.md")',
  'import x from "./other.md"',
  'require("node:fs")',
  'new URL("./logo.png", import.meta.url)',
  'new Worker(new URL("./worker.js", import.meta.url))',
  '__VITE_PRELOAD__',
  '__VITE_IS_MODERN__',
  '__VITE_ASSET__abc123__',
  '__VITE_ASSET__abc123__$_?x__',
  '__VITE_PUBLIC_ASSET__abc123__',
  '__VITE_WORKER_ASSET__abc123__',
  '__vite_ssr_import_0__',
  '__vite_ssr_import__("./x")',
  '__vite_ssr_dynamic_import__("./x")',
  '__vite__injectQuery',
  '__CLOUDFLARE_MODULE__Text__/x.txt__CLOUDFLARE_MODULE__',
  '__webpack_public_path__',
  '!~{000}~',
  '!~{001}~',
  '!~{002}~',
  '__DEFINED__',
  '_____A_B____C__',
  '__dirname',
  '__filename',
  'virtual:skills',
  'virtual:skills/~/hostile',
  'globalThis.process',
  '${',
  '${x}',
  '`',
  '``${`${``}`}``',
  '</script>',
  '</SCRIPT >',
  '<script>',
  '<!--',
  '-->',
  '<![CDATA[ ]]>',
  '</style>',
  '//# sourceMappingURL=data:application/json;base64,e30=',
  '//# sourceMappingURL=x.js.map',
  '/*# sourceMappingURL=x.css.map */',
  '//# sourceURL=x.js',
  '//@ sourceMappingURL=x.js.map',
  '/* @__PURE__ */ x()',
  '/*! @license keep */',
  '/* @vite-ignore */',
  '*/',
  '/*',
  '// a comment',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '{"__proto__":{"polluted":true}}',
  "'",
  '"',
  '\\',
  '\\\\',
  '\\n',
  '\\u2028',
  '\\x00',
  '\\0',
  "\\'",
  '\\"',
  '\\`',
  '\\${',
  '$&',
  '$1',
  "$'",
  '$$',
  '%s %d %o',
  '%25 %2F %00',
  'a//b/../c/./d',
  'use strict',
  'debugger',
  'undefined',
  'null',
  'NaN',
  '1e999',
  'eval("1")',
  'with (x) {}',
  '@charset "x";',
  '#!/usr/bin/env node',
  '{{ x }}',
  '<%= x %>',
  '=?base64?eA==?=',
  'data: {"jsonrpc":"2.0"}',
  '日本語',
  'ünïcödé',
  '𝒜 😀 👩‍👩‍👧',
  'e\u0301',
  '\u200b\u200d\u2060',
  '\u202e rtl',
  '\ud7ff\ue000\uffff',
]

/** Bytes that an encoding, an editor or a parser may lose. The first are text, the others are not. */
const BYTES: Readonly<Record<string, string | Uint8Array>> = {
  empty: '',
  newline: '\n',
  blank: ' ',
  bom: '\ufeffText',
  'bom-alone': '\ufeff',
  'two-boms': '\ufeff\ufeffText',
  'bom-inside': 'Te\ufeffxt',
  crlf: 'a\r\nb\r\n',
  cr: 'a\rb\r',
  mixed: '\r\n\n\r\r\n\n\r',
  'no-last-newline': 'a\nb',
  'blanks-at-ends': '  a \t\n \t b  \n\t',
  'line-separators': 'a\u2028b\u2029c\u0085d\u000be\u000cf',
  controls: Array.from({ length: 31 }, (_, code) => String.fromCharCode(code + 1)).join('') + '\u007f\u009f',
  long: 'x'.repeat(70_000),
  'many-lines': 'line\n'.repeat(20_000),
  replacement: 'a\ufffdb',
  nul: 'a\0b',
  'nul-alone': '\0',
  'nul-path': '\0a//b/../c',
  latin1: Uint8Array.of(0xef, 0xbb, 0xbf, 0x63, 0x61, 0x66, 0xe9, 0x0d, 0x0a),
  'utf16-bom': Uint8Array.of(0xff, 0xfe, 0x61, 0x00),
  'surrogate-in-utf8': Uint8Array.of(0x61, 0xed, 0xa0, 0x80, 0x62),
  overlong: Uint8Array.of(0xc0, 0xaf),
  truncated: Uint8Array.of(0x61, 0xe2, 0x82),
  'every-byte': Uint8Array.from({ length: 256 }, (_, byte) => byte),
  'every-byte-backwards': Uint8Array.from({ length: 1021 }, (_, index) => 255 - (index % 256)),
}

function hostileTree(): Tree {
  const files: Record<string, string | Uint8Array> = {}
  for (const [name, content] of Object.entries(BYTES)) files[`bytes/${name}`] = content
  TEXTS.forEach((text, index) => {
    files[`alone/${index}.md`] = text
    files[`inside/${index}.ts`] = `const before = 1\n${text}\r\nconst after = ${text}${text}\n`
    // A name cannot hold a slash, a backslash has no URI, a dot at the start leaves it out, and `.env` at the end is
    // an error.
    const name = text.replaceAll(/[/\\]/g, '_').replace(/\.env$/, '$&_')
    files[`names/${index} ${name}`] = `The file called ${name}`
    if (!name.startsWith('.')) files[`bare/${name.trim()}`] = `${index}`
  })
  for (const name of [
    'SKILL.md.txt',
    'x.json',
    'x.css',
    'x.vue',
    'x.wasm',
    'x.html',
    'x.svg',
    'a.js?raw',
    'b#c',
  ])
    files[`types/${name}`] = `${name} of another kind`
  files['folders/a (x)/[y]/{z}/*.md'] = 'Brackets'
  files['folders/__proto__/constructor/valueOf'] = 'Words'
  files['folders/empty `${x}`/'] = ''

  const strings = [...TEXTS, ...Object.values(BYTES).filter((value) => typeof value === 'string')]
  const metadata = strings.flatMap((text, index) => [
    `  "value-${index}": ${yaml(text.slice(0, 500))}`,
    // `__proto__` is the one key that no skill may have.
    ...(text === '' || text === '__proto__' || text.length > 500 ? [] : [`  ${yaml(text)}: "key ${index}"`]),
  ])
  const all = ['description: Holds what is easily lost.', 'metadata:', ...new Set(metadata)].join('\n')
  const skill = (name: string): string => `---\nname: ${name}\n${all}\n---\n${TEXTS.join('\n')}\n`

  return {
    'skills/hostile/SKILL.md': skill('hostile'),
    ...Object.fromEntries(
      Object.entries(files).map(([name, content]) => [`skills/hostile/${name}`, content]),
    ),
    'skills/hostile/constructor/SKILL.md': `\ufeff${skill('constructor').replaceAll('\n', '\r\n')}`,
    'skills/hostile/constructor/shared': BYTES['every-byte']!,
  }
}

/** A text as a double-quoted value of YAML, in one line. */
function yaml(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export interface Hostile {
  readonly root: string
  readonly skills: readonly CompiledSkill[]
}

/** Skills of everything above: in contents, names, and the keys and values of frontmatter. */
export async function hostileSkills(root?: string): Promise<Hostile> {
  const folder = writeTree(hostileTree(), root)
  const { skills, diagnostics } = await compile('skills/**', { root: folder })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length) throw new Error(errors.map(({ file, message }) => `${file}: ${message}`).join('\n'))
  return { root: folder, skills }
}
