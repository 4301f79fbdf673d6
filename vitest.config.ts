import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Folders whose tests leave nothing behind in the process: no set-up file, no configuration, no fake clock. Their files share
 * workers, which loads the sources once for all of them instead of once for each.
 */
const pure = [
  'bindings',
  'card',
  'checks',
  'client',
  'core',
  'examples',
  'faultyAgents',
  'house',
  'http',
  'judge',
  'protocol',
  'report',
  'simulator',
  'support',
  'torture',
]
/** Folders whose tests set what `configureA2A()` sets. */
const configured = ['conversation', 'model']
/** Folders whose tests use the matchers, in a test file that is set up as a user's is. */
const matchers = ['fieldCases', 'guide', 'matchers']
/**
 * Suites with a script of their own, by the mode that it sets: what runs the built package in other processes and the agents of
 * the official SDKs, what installs the package, and what runs the demo.
 */
const suites: Record<string, readonly string[]> = {
  integration: ['childRuns', 'interop'],
  install: ['package'],
  link: ['package'],
  demo: ['demo'],
}

/** On a fresh clone no durations are known yet, and a slow file that starts last makes the whole run longer. */
const slow = /\/(faultyAgents|torture|everyMatcher|start|properties)\.test\.ts$/
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

const filesIn = (folders: readonly string[]): string[] =>
  folders.map((folder) => `tests/${folder}/**/*.test.ts`)
const never = ['tests/**/fixtures/**', 'node_modules/**']

export default defineConfig(({ mode }) => {
  const suite = suites[mode]
  return {
    test: {
      // On a busy machine everything takes ten times as long: these limits only end what hangs.
      testTimeout: 180_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      teardownTimeout: 60_000,
      sequence: { sequencer: SlowFilesFirst },
      // Twice the cores of the smallest machine this runs on: many tests wait for an agent.
      maxWorkers: 4,
      projects:
        suite === undefined
          ? [
              {
                extends: true,
                test: { name: 'pure', isolate: false, include: filesIn(pure), exclude: never },
              },
              {
                extends: true,
                test: {
                  name: 'configured',
                  isolate: false,
                  setupFiles: ['tests/support/freshConfiguration.ts'],
                  include: filesIn(configured),
                  exclude: never,
                },
              },
              {
                extends: true,
                test: {
                  name: 'matchers',
                  isolate: false,
                  // Runs again for each file, as the hooks of the fences must.
                  setupFiles: ['src/vitest.ts'],
                  include: filesIn(matchers),
                  exclude: never,
                },
              },
              {
                extends: true,
                test: {
                  name: 'isolated',
                  include: ['tests/**/*.test.ts'],
                  exclude: [
                    ...never,
                    ...filesIn([...pure, ...configured, ...matchers]),
                    ...filesIn(Object.values(suites).flat()),
                  ],
                },
              },
            ]
          : [{ extends: true, test: { name: mode, include: filesIn(suite), exclude: never } }],
    },
  }
})
