/** A server over HTTP in Bun: `PORT=3000 bun dist/server.js`. */
import { serveSkills } from '@embed-skills/runtime/fetch'
import skills from 'virtual:skills'

declare const Bun: {
  serve(options: { port: number; hostname: string; fetch(request: Request): Promise<Response> }): { url: URL }
}

const { fetch } = serveSkills(skills, { name: 'notes', version: '1.0.0' })
const { url } = Bun.serve({ port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1', fetch })
console.log(url.href)
