import { defineConfig } from 'vitest/config'

/**
 * Folders whose tests leave nothing behind in the process: no set-up file, no configuration, no fake clock. Their files share
 * workers, which loads the sources once for all instead of once for each.
 */
const pure = [
  'bindings',
  'card',
  'checks',
  'client',
  'examples',
  'http',
  'judge',
  'protocol',
  'report',
  'torture',
]
/** Folders whose tests use the matchers, in a test file that is set up as a user's is. */
const usual = ['fieldCases', 'guide', 'matchers']
const filesIn = (folders: readonly string[]): string[] =>
  folders.map((folder) => `tests/${folder}/**/*.test.ts`)
const never = ['tests/**/fixtures/**', 'node_modules/**']

export default defineConfig(({ mode }) => ({
  test: {
    // On a busy machine everything takes ten times as long: these limits only end what hangs.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    teardownTimeout: 60_000,
    // One more than the cores of the smallest machine this runs on: some files wait for their child runs.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'pure', isolate: false, include: filesIn(pure), exclude: never } },
      {
        extends: true,
        test: {
          name: 'matchers',
          isolate: false,
          // Run anew for each file, as the hooks of the fences must be.
          setupFiles: ['src/vitest.ts'],
          include: filesIn(usual),
          exclude: never,
        },
      },
      {
        extends: true,
        test: {
          name: 'own process',
          include: ['tests/**/*.test.ts'],
          exclude: [
            ...never,
            ...filesIn([...pure, ...usual]),
            // The packed package and the demo are tested by `npm run test:package` and `npm run test:demo`.
            ...(mode === 'test' ? ['tests/package/**', 'tests/demo/**'] : []),
          ],
        },
      },
    ],
  },
}))
