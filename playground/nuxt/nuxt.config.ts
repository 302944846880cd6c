import embedSkills from 'unplugin-embed-skills/nuxt'

export default defineNuxtConfig({
  compatibilityDate: '2026-10-01',
  telemetry: false,
  modules: [embedSkills('skills/*')],
})
