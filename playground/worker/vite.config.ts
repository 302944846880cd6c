import { cloudflare } from '@cloudflare/vite-plugin'
import embedSkills from 'unplugin-embed-skills/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [cloudflare(), embedSkills(['skills/**', { from: 'billing/*', prefix: 'acme/billing' }])],
})
