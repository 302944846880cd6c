import { defineConfig } from 'tsdown'
import embedSkills from 'unplugin-embed-skills/rolldown'

export default defineConfig({
  entry: ['src/server.ts'],
  platform: 'node',
  dts: false,
  fixedExtension: false,
  plugins: [embedSkills('skills/*')],
})
