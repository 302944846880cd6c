import embedSkills from 'unplugin-embed-skills/vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [embedSkills('skills/*')] })
