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

/** One of these is in every text that holds such a secret: to look for them first takes a fifth of the time. */
const MARKS = ['AKIA', 'ASIA', 'glpat-', 'xox', 'AIza', 'T3BlbkFJ', 'k-ant-', 'AgEIcH', 'SG.', 'PRIVATE KEY']
const MARK = /[A-Za-z]_[A-Za-z0-9]{20}/

/** What documentation writes in the place of a secret. */
const PLACEHOLDER =
  /example|sample|placeholder|your|dummy|fake|redacted|test|x{5,}|0{6,}|123456|abcdef|(.)\1{7}/i

/** @param text One character a byte is enough. */
export function secretsIn(text: string): Secret[] {
  if (!MARK.test(text) && !MARKS.some((mark) => text.includes(mark))) return []
  const found: Secret[] = []
  for (const match of text.matchAll(ANY)) {
    const kind = match.slice(1).findIndex((group) => group !== undefined)
    const what = KINDS[kind]![0]
    const [secret] = match
    if (what !== 'a private key' && (PLACEHOLDER.test(secret) || new Set(secret).size < 12)) continue
    found.push({ what, begins: secret.slice(0, what === 'a private key' ? 16 : 8), offset: match.index })
  }
  return found
}

/** Names of files that hold little but secrets, with those of their templates left out. */
const SECRET_NAME =
  /^(?:.*\.env|\.env\..+|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:p12|pfx|jks|keystore|kdbx)|\.netrc|\.pgpass|\.htpasswd)$/i
const TEMPLATE_NAME = /example|sample|template|dist|default/i

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !TEMPLATE_NAME.test(name)
}
