import { serveSkills } from '@embed-skills/runtime/fetch'
import skills from 'virtual:skills'
import { requestFor } from './requests.ts'

const server = serveSkills(skills, { name: 'bench', version: '1.0.0' })
await (await server.fetch(requestFor('skills/list')())).text()
console.log(performance.now())
