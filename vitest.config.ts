import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    include: ['tests/**/*.test.ts'],
    // The packed package is tested by `npm run test:package`; `--mode link` does so without the network.
    exclude: ['tests/**/fixtures/**', 'node_modules/**', ...(mode === 'test' ? ['tests/package/**'] : [])],
    testTimeout: 20_000,
    // Hooks install and clean up whole projects: a slow disk takes its time.
    hookTimeout: 120_000,
    // One more than the cores of the smallest machine this runs on: some files wait for their child runs.
    maxWorkers: 3,
  },
}))
