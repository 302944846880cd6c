import { hash } from 'node:crypto'
import { gzipSync } from 'fflate'
import type { CompiledSkill, SkillFile } from '../types.ts'
import { slotName } from './groups.ts'
import type { Row } from './rows.ts'
import { rowsCode, rowsOf } from './rows.ts'
import { setCode } from './set.ts'
import type { Encoding } from './values.ts'

/** The first bytes of a pack, by which one is known. */
export const PACK_MAGIC: Buffer = Buffer.from('embed-skills pack 1\n')

// Below this, and where less than an eighth is saved, unpacking costs more than it spares.
const WORTH_GZIP = 2048

/** The contents of a set in one file. */
export interface Pack {
  /** Changes with the bytes: `skills-1a2b3c4d5e6f7a8b.bin`. */
  readonly name: string
  readonly bytes: Uint8Array
  /** The slot says where the contents are: `t20+812` is text at byte 20, `b832+90z` is gzipped. */
  readonly rows: readonly Row[]
}

/**
 * Packs the distinct contents of `skills`. The gzip is one in JavaScript: that of Node differs from
 * machine to machine.
 */
export function packSkills(skills: readonly CompiledSkill[]): Pack {
  const parts: Uint8Array[] = [PACK_MAGIC]
  let end = PACK_MAGIC.length
  const slots = new Map<string, string>()
  const add = (file: SkillFile): string => {
    const { bytes, zipped } = squeeze(file.bytes)
    const slot = `${slotName(file, end)}+${bytes.length}${zipped ? 'z' : ''}`
    slots.set(file.digest, slot)
    parts.push(bytes)
    end += bytes.length
    return slot
  }
  const rows = rowsOf(skills, (file) => [0, slots.get(file.digest) ?? add(file)])
  const bytes = Buffer.concat(parts)
  return { name: `skills-${hash('sha256', bytes).slice(0, 16)}.bin`, bytes, rows }
}

const squeezed = new WeakMap<Uint8Array, ReturnType<typeof squeeze>>()

/** The shorter form. Kept, since a set is packed again whenever one of its files changes. */
function squeeze(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly zipped: boolean } {
  if (bytes.length < WORTH_GZIP) return { bytes, zipped: false }
  const known = squeezed.get(bytes)
  if (known) return known
  const gzip = gzipSync(bytes, { level: 9, mtime: 0 })
  const zipped = gzip.length < bytes.length * 0.875
  const result = { bytes: zipped ? gzip : bytes, zipped }
  squeezed.set(bytes, result)
  return result
}

/** The set as an expression, and the code ahead of it. `pack` is the import of the pack's bytes there. */
export function packCode({ rows }: Pick<Pack, 'rows'>, encoding: Encoding): { head: string; set: string } {
  return { head: UNPACK, set: setCode(rowsCode(rows, encoding), '() => contents') }
}

const UNPACK = `if (typeof pack === 'string')
  throw new TypeError('embed-skills: this bundler imports .bin files as something else than bytes. Use content "inline" or "chunks".');
const bytes = ArrayBuffer.isView(pack) ? pack : new Uint8Array(pack);
const inflate = async (part) =>
  new Uint8Array(await new Response(new Blob([part]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
const toBase64 = (part) => {
  if (part.toBase64) return part.toBase64();
  let binary = '';
  for (let at = 0; at < part.length; at += 8192) binary += String.fromCharCode(...part.subarray(at, at + 8192));
  return btoa(binary);
};
const toText = (part) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(part);
const contents = new Proxy({}, {
  get(_, slot) {
    const [, kind, start, length, zipped] = /^([tb])(\\d+)\\+(\\d+)(z?)$/.exec(String(slot)) ?? [];
    if (!kind) return undefined;
    const read = kind === 't' ? toText : toBase64;
    const part = bytes.subarray(+start, +start + +length);
    return zipped ? inflate(part).then(read) : read(part);
  },
});
`
