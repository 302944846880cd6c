/** A host for the official conformance suite: lists, then loads and reads, as far as it is let. */
import { SkillHost, SkillVerificationError } from '@embed-skills/client'
import { connectServer } from '@embed-skills/client/node'

const url = process.argv.at(-1)!
const { client, close } = await connectServer({ url })
const host = new SkillHost()
const { error } = await host.addServer('conformance', client, { identity: url })
if (error) throw error
const skills = await host.skills()
if (!skills.length) throw new Error('Nothing was listed')
await host.contexts()
for (const skill of skills) await host.approve(skill)

// One scenario is about what is not read until a skill is loaded; the others about what is read then.
if (process.env['MCP_CONFORMANCE_SCENARIO'] !== 'sep-2640-client-no-prefetch')
  for (const skill of skills)
    try {
      await host.load(skill)
      for (const { uri } of skill.resources === 'dynamic' ? [] : skill.resources)
        await host.readFile(skill, uri)
    } catch (error) {
      if (!(error instanceof SkillVerificationError)) throw error
      console.log(`Refused: ${error.message}`)
    }
await close()
