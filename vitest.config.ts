import { defineConfig } from 'vitest/config'

/** Only what hangs fails, however busy the machine is. */
const patience = { testTimeout: 180_000, hookTimeout: 180_000 }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], ...patience } },
      { test: { name: 'whole', include: ['test/**/*.test.ts'], ...patience } },
    ],
  },
})
