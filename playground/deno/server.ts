import { serveSkills } from '@embed-skills/runtime/fetch'
import skills from './skills.ts'

const server = serveSkills(skills, { name: 'acme', version: '1.0.0' })

Deno.serve({ hostname: '127.0.0.1', port: Number(Deno.env.get('PORT') ?? 8000) }, (request: Request) =>
  server.fetch(request),
)
