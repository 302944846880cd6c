/** Text of others on its way to a model. */

/**
 * Directional marks, spaces without width, and invisible tags and variants, which can spell out any text: what a
 * reader cannot see, a model still reads. The joiners, which scripts and emoji need, stay.
 */
const HIDDEN = /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E01EF}]/gu

/**
 * One line without control characters and invisible ones: for a server's words in front of a person, where they
 * could steer a terminal, begin a line of their own, or say what nobody sees.
 *
 * @example
 * console.log(`${skill.server} offers ${skill.name}: ${oneLine(skill.description)}`)
 */
export function oneLine(text: string): string {
  return text
    .replace(HIDDEN, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** One line as the text or an attribute of an XML element. */
export function escapeXml(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/** Content that cannot end, or begin, the tags that tell its origin. */
export function withoutTags(text: string): string {
  // No blank can be matched in two ways: a long run of them would take the square of the time.
  return text.replace(/<(?=[\s\p{Cf}]*(?:\/[\s\p{Cf}]*)?(?:skill_|available_skills|skill\b))/giu, '&lt;')
}

/**
 * About how many tokens a model counts: a quarter of the ASCII characters, and one for each other one.
 * No tokenizer is asked; expect it to be off by a fifth.
 */
export function estimateTokens(text: string): number {
  const others = text.match(/[^\p{ASCII}]/gu)?.length ?? 0
  return Math.ceil((text.length - others) / 4 + others)
}

/** The text of bytes, where decoding them loses nothing. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Bytes as base64, a piece at a time: arguments are limited in number. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x80_00)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x80_00))
  return btoa(binary)
}
