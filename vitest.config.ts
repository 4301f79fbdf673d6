import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/**/fixtures/**', 'node_modules/**'],
    testTimeout: 20_000,
    // Hooks pack, install and clean up whole projects: a slow disk takes its time.
    hookTimeout: 120_000,
    // Two cores on the smallest machine this runs on: more workers only add start-up.
    maxWorkers: 2,
  },
})
