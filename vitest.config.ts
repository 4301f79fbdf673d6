import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    include: ['tests/**/*.test.ts'],
    // The packed package is tested by `npm run test:package`; `--mode link` does so without the network.
    exclude: ['tests/**/fixtures/**', 'node_modules/**', ...(mode === 'test' ? ['tests/package/**'] : [])],
    // On a busy machine everything takes ten times as long: these limits only end what hangs.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    teardownTimeout: 60_000,
    // One more than the cores of the smallest machine this runs on: some files wait for their child runs.
    maxWorkers: 3,
  },
}))
