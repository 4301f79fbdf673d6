import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['**/*.spec.ts'],
    setupFiles: ['expect-a2a/vitest'],
    testTimeout: 30_000,
  },
})
