import { serveSkills } from '@embed-skills/runtime/fetch'
import skills from '../skills.js'

const server = serveSkills(skills, { name: 'acme', version: '1.0.0' })

/** @param {Request} request */
export const POST = (request) => server.fetch(request)
