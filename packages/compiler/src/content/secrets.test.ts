import { expect, test } from 'vitest'
import { isSecretName, secretsIn } from './secrets.ts'

// In parts, so that nothing takes this file for a leak.
const random = 'k3Vq9ZpL2mWc8RtY5uXb7NdF1gHs4JaQ6eKoP0iU'
const secrets: Record<string, string> = {
  'an AWS access key': `AKI${'A'}Q3EGN5ZT7XWVJ2PK`,
  'a GitHub token': `ghp${'_'}${random.slice(0, 36)}`,
  'a GitLab token': `glpat${'-'}${random.slice(0, 20)}`,
  'a Slack token': `xoxb${'-'}920384756102-${random.slice(0, 24)}`,
  'a Stripe key': `sk${'_'}live_${random.slice(0, 24)}`,
  'a Google API key': `AIz${'a'}${random.slice(0, 35)}`,
  'an OpenAI key': `sk${'-'}proj-${random.slice(0, 20)}T3BlbkFJ${random.slice(0, 20)}`,
  'an Anthropic key': `sk${'-'}ant-api03-${random}${random}AA`,
  'an npm token': `npm${'_'}${random.slice(0, 36)}`,
  'a PyPI token': `pypi${'-'}AgEIcHlwaS${random}${random.slice(0, 20)}`,
  'a SendGrid key': `SG${'.'}${random.slice(0, 22)}.${random}${random.slice(0, 3)}`,
  'a Hugging Face token': `hf${'_'}kVqZpLmWcRtYuXbNdFgHsJaQeKoPiUkVqZ`,
  'a private key': `-----BEGIN RSA PRIVATE ${'KEY'}-----\n${random}${random}\n`,
}

test.each(Object.entries(secrets))('%s is found where it stands, and not shown in full', (what, secret) => {
  const found = secretsIn(Buffer.from(`export TOKEN="${secret}"\n`))
  expect(found).toEqual([{ what, begins: expect.any(String), offset: 14 }])
  expect(secret.startsWith(found[0]!.begins)).toBe(true)
  expect(found[0]!.begins.length).toBeLessThan(secret.length / 2)
})

test.each(Object.entries(secrets))('%s is found wherever in a text it stands', (what, secret) => {
  for (const filler of [' ', 'a ', '- ', 'words of prose ', 'path/to.some/file-', `${random}=`, 'é'])
    for (let length = 0; length < 70; length++) {
      const before = filler.repeat(length).slice(0, length).replace(/\w$/, ' ')
      const [found] = secretsIn(Buffer.from(`${before}${secret}" ${filler.repeat(5)}`))
      expect([found?.what, found?.offset]).toEqual([what, Buffer.byteLength(before)])
    }
})

test.each([
  'AKIAIOSFODNN7EXAMPLE',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'ghp_your_token_goes_here',
  `sk_live_${'0'.repeat(24)}`,
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  '-----BEGIN CERTIFICATE-----\nMIIB',
  'the npm_config_registry variable',
])('%s is a placeholder', (text) => {
  expect(secretsIn(Buffer.from(text))).toEqual([])
})

test('names of files', () => {
  const names = ['.env', '.env.production', 'prod.env', 'id_rsa', 'id_ed25519', 'key.p12', '.netrc']
  expect(names.filter(isSecretName)).toEqual(names)
  expect(
    ['.env.example', '.env.sample', 'id_rsa.pub', 'env.md', 'template.env'].filter(isSecretName),
  ).toEqual([])
})
