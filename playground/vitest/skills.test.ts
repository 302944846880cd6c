import { createCatalog, getSkill, readFile } from '@embed-skills/runtime'
import skills from 'virtual:skills'
import { expect, test } from 'vitest'

test('what hosts are told of the skills changes only on purpose', async () => {
  const { skills: entries } = await createCatalog(skills).list({}, {})
  expect(entries).toMatchSnapshot()
})

test('the welcome mail greets by name', async () => {
  const { text } = await readFile(skills, 'welcome', 'templates/mail.md')
  expect(text).toContain('Hello {{name}},')
  expect(getSkill(skills, 'welcome').frontmatter.description).toContain('new customer')
})
