import { serveSkills } from '@embed-skills/runtime/fetch'
import type { APIRoute } from 'astro'
import skills from 'virtual:skills'

export const prerender = false

const server = serveSkills(skills, { name: 'acme', version: '1.0.0' })

export const ALL: APIRoute = ({ request }) => server.fetch(request)
