/** Skills whose contents, names and frontmatter tools on the way like to change. */
import { compile } from '@embed-skills/compiler'
import type { Served } from './serve.ts'
import { expected, SERVED } from './serve.ts'

const MARKS = [
  'process.env.NODE_ENV',
  'import.meta.env.MODE',
  'import.meta.url',
  '__VITE_PRELOAD__',
  '__VERSION__ {{version}}',
  '${name} `tick` \\u0041 \\',
  '</script><!-- -->',
  '\u2028 \u2029 \u00a0',
  '//# sourceMappingURL=x.map',
  '__proto__ constructor',
  '日本語 🎉 é',
  '\'single\' "double"',
  'import x from "virtual:skills"',
].join('\n')

const BOM = '\uFEFF'
const repeat = (text: string): string =>
  Array.from({ length: 400 }, (_, index) => `${text} ${index}`).join('\r\n')
const skillMd = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: "Does ${name}: process.env.NODE_ENV, __VERSION__, {{version}} and '\`\${x}\`"\n${more}---\n${MARKS}\n`

/** Files by path, for the globs `MARKED_GLOBS`. */
export const MARKED: Readonly<Record<string, string | Uint8Array>> = {
  'skills/hostile/SKILL.md': skillMd(
    'hostile',
    'metadata:\n  constructor: </script>\n  "a b": "process.env.NODE_ENV"\nlist: [1, two, {three: 3.5}, null, true]\n',
  ),
  'skills/hostile/marks.md': MARKS,
  'skills/hostile/crlf.txt': 'one\r\ntwo\rthree\n',
  'skills/hostile/bom.txt': `${BOM}bom`,
  'skills/hostile/long-bom.txt': BOM + repeat('a long line with a BOM ahead of it'),
  'skills/hostile/nul.txt': 'a\0b',
  'skills/hostile/latin1.txt': new Uint8Array([0xef, 0xbb, 0xbf, 97, 13, 10, 0xe9]),
  'skills/hostile/zeros.bin': new Uint8Array(5000),
  'skills/hostile/noise.bin': Uint8Array.from({ length: 5000 }, (_, index) => (index * index * 31) % 251),
  'skills/hostile/empty.txt': '',
  'skills/hostile/__proto__.md': 'a name',
  'skills/hostile/names/${x} `y`.md': 'a name',
  'skills/hostile/names/50% off #1 (a) [b].md': '50%',
  'skills/hostile/names/日本語.md': 'Unicode',
  'skills/hostile/inner/SKILL.md': skillMd('inner'),
  'skills/hostile/inner/only-inner.md': 'inner',
  'skills/other/SKILL.md': skillMd('other'),
  'skills/other/marks.md': MARKS,
  'skills/con/SKILL.md': skillMd('con'),
  'skills/Deep.er/x/SKILL.md': skillMd('x', 'license: MIT\n'),
  'skills/deep.er/x/SKILL.md': skillMd('x'),
}

export const MARKED_GLOBS: readonly string[] = ['skills/**']

/** An app with these skills, but for what starts it: that imports `served` from its `served.js`. */
export const MARKED_APP: typeof MARKED = {
  ...MARKED,
  'package.json': '{ "type": "module" }',
  'served.js': SERVED,
}

/** What has to come out of it. */
export async function compiled(root: string, globs: readonly string[] = MARKED_GLOBS): Promise<Served> {
  return expected((await compile(globs, { root })).skills)
}
