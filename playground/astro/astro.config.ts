import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
import embedSkills from 'unplugin-embed-skills/astro'

export default defineConfig({
  adapter: node({ mode: 'standalone' }),
  integrations: [embedSkills('skills/*')],
})
