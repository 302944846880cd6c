import { defineConfig } from 'vitest/config'

const shared = {
  setupFiles: ['test/support/plain-output.ts'],
  // Only what hangs fails, however busy the machine is.
  testTimeout: 180_000,
  hookTimeout: 180_000,
}

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], ...shared } },
      { test: { name: 'whole', include: ['test/**/*.test.ts'], ...shared } },
    ],
  },
})
