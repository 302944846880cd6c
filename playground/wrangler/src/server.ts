import { serveSkills } from '@embed-skills/runtime/fetch'
import skills from './skills.ts'

export default serveSkills(skills, { name: 'acme', version: '1.0.0' })
