/** A text that looks like a secret. */
export interface Secret {
  /** `a GitHub token` */
  readonly what: string
  /** Its first characters: enough to find it, not enough to use it. */
  readonly begins: string
  /** Offset of its first character. */
  readonly offset: number
}

/**
 * Formats that their makers gave a prefix of their own, so that hardly anything else looks like them. The linters for
 * secrets on npm need a newer Node than the one that this package supports.
 */
const KINDS: readonly (readonly [what: string, pattern: string])[] = [
  ['an AWS access key', '(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])'],
  ['a GitHub token', 'gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'],
  ['a GitLab token', 'glpat-[A-Za-z0-9_-]{20,}'],
  ['a Slack token', 'xox[abprs]-\\d{9,}-[A-Za-z0-9-]{20,}'],
  ['a Stripe key', '[rs]k_live_[A-Za-z0-9]{20,}'],
  ['a Google API key', 'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'],
  ['an OpenAI key', 'sk-[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}'],
  ['an Anthropic key', 'sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{80,}'],
  ['an npm token', 'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])'],
  ['a PyPI token', 'pypi-AgEIcHlwaS[A-Za-z0-9_-]{50,}'],
  ['a SendGrid key', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'],
  ['a Hugging Face token', 'hf_[A-Za-z]{34}(?![A-Za-z0-9])'],
  [
    'a private key',
    '-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\s|\\\\n|[A-Za-z-]+: [^\\n]*){1,400}[A-Za-z0-9+/]{60}',
  ],
]

const ANY = new RegExp(`(?<![A-Za-z0-9_])(?:${KINDS.map(([, pattern]) => `(${pattern})`).join('|')})`, 'g')

/** How many bytes of `TOKEN` stand in a row in each of them, at least; in a private key, `KEY_LINE`. */
const RUN = 20
const KEY_LINE = 60

/** 1 for the bytes that secrets are made of. */
const TOKEN = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+'))
  TOKEN[byte] = 1

/** One of these is in every run that is such a secret. */
const MARK = /AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox|k_live_|AIza|sk-|npm_|pypi-|SG\.|hf_/

/** What documentation writes in the place of a secret. */
const PLACEHOLDER =
  /example|sample|placeholder|your|dummy|fake|redacted|test|x{5,}|0{6,}|123456|abcdef|(.)\1{7}/i

/** Secrets by the offset of their first byte. */
export function secretsIn(bytes: Buffer): Secret[] {
  if (!mayHoldSecret(bytes)) return []
  const found: Secret[] = []
  // One character a byte.
  for (const match of bytes.toString('latin1').matchAll(ANY)) {
    const kind = match.slice(1).findIndex((group) => group !== undefined)
    const what = KINDS[kind]![0]
    const [secret] = match
    if (what !== 'a private key' && (PLACEHOLDER.test(secret) || new Set(secret).size < 12)) continue
    found.push({ what, begins: secret.slice(0, what === 'a private key' ? 16 : 8), offset: match.index })
  }
  return found
}

/**
 * Rules out nearly every text by a look at few of its bytes: where the last of `RUN` bytes in a row is none of a
 * secret, as a blank is, none of the others has to be seen.
 */
function mayHoldSecret(bytes: Buffer): boolean {
  let hasKeyLine = false
  let end = RUN
  // No row that was not seen begins before `end - RUN`.
  while (end <= bytes.length) {
    let start = end
    while (start > end - RUN && TOKEN[bytes[start - 1]!] === 1) start--
    if (start > end - RUN) {
      end = start + RUN
      continue
    }
    while (end < bytes.length && TOKEN[bytes[end]!] === 1) end++
    if (MARK.test(bytes.toString('latin1', start, end))) return true
    hasKeyLine ||= end - start >= KEY_LINE
    end += RUN
  }
  return hasKeyLine && bytes.includes('PRIVATE KEY')
}

/** Names of files that hold little but secrets, with those of their templates left out. */
const SECRET_NAME =
  /^(?:.*\.env|\.env\..+|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:p12|pfx|jks|keystore|kdbx)|\.netrc|\.pgpass|\.htpasswd)$/i
const TEMPLATE_NAME = /example|sample|template|dist|default/i

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !TEMPLATE_NAME.test(name)
}
