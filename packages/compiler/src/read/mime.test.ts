import { expect, test } from 'vitest'
import { mimeType } from './mime.ts'

/** The table of the official SDK. */
const OFFICIAL = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  py: 'text/x-python',
  sh: 'application/x-sh',
  bash: 'application/x-sh',
  js: 'text/javascript',
  mjs: 'text/javascript',
  ts: 'text/typescript',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
}

test.each(Object.entries(OFFICIAL))('%s as the official SDK says', (extension, type) => {
  expect(mimeType(`x.${extension}`)).toBe(type)
  expect(mimeType(`x.y.${extension.toUpperCase()}`)).toBe(type)
})

test.each([
  ['x.mts', 'text/typescript'],
  ['x.d.cts', 'text/typescript'],
  ['x.tsx', 'text/tsx'],
  ['x.jsx', 'text/jsx'],
  ['x.mdx', 'text/mdx'],
  ['x.toml', 'application/toml'],
  ['x.rs', 'text/x-rust'],
  ['x.go', 'text/x-go'],
  ['x.rb', 'text/x-ruby'],
  ['x.vue', 'text/x-vue'],
  ['x.svelte', 'text/x-svelte'],
  ['x.jsonl', 'application/jsonl'],
  ['x.woff2', 'font/woff2'],
  ['Dockerfile', 'text/x-dockerfile'],
  ['LICENSE', 'text/plain'],
  ['LICENSE.txt', 'text/plain'],
  ['x.TXT', 'text/plain'],
  ['pdf', 'application/octet-stream'],
  ['x.', 'application/octet-stream'],
  ['x.unheard-of', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
])('%s is %s', (name, type) => {
  expect(mimeType(name)).toBe(type)
})
