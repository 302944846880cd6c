import embedSkills from 'unplugin-embed-skills/bun'

await Bun.build({
  entrypoints: ['src/server.ts'],
  outdir: 'dist',
  target: 'bun',
  splitting: true,
  plugins: [embedSkills('skills/*')],
})
