import { serveSkills } from '@embed-skills/runtime/fetch'
import skills from 'virtual:skills'

const server = serveSkills(skills, { name: 'acme', version: '1.0.0' })

export default defineEventHandler((event) => server.fetch(toWebRequest(event)))
