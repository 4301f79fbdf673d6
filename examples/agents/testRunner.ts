import { speak10 } from './dialect10.ts'
import type { Respond, Step } from './task.ts'
import { serve, type DemoAgent, type DemoOptions, type Json } from './wire.ts'

/** An A2A 1.0 agent that "runs" a test suite: it streams the log line by line, and sends push notifications. */
export function startTestRunner(options: DemoOptions = {}): Promise<DemoAgent> {
  return serve((url) => ({ card: testRunnerCard(url), handle: speak10(runTests, options) }), options)
}

function testRunnerCard(url: string): Json {
  return {
    name: 'test-runner',
    description: 'Checks out a commit, runs its test suite in a clean container, and streams the log.',
    supportedInterfaces: [
      { url: `${url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    provider: { url: 'https://ci.example.com', organization: 'Platform Team' },
    version: '2.3.0',
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'run-tests',
        name: 'Run tests',
        description: 'Run the test suite of a repository at one commit and report each failure with its log.',
        tags: ['ci', 'tests'],
        examples: ['Run the unit tests for payments-api at commit 9f3c2e1'],
      },
    ],
  }
}

const runTests: Respond = ({ said }) => {
  const request = said.join(' ')
  if (!/\btests?\b/i.test(request)) {
    return 'I run the test suite of a repository at one commit. Name the repository and the commit.'
  }
  const commit = /\b[0-9a-f]{7,40}\b/.exec(request)?.[0]
  return commit === undefined
    ? [{ state: 'input-required', text: 'At which commit should I run the tests?' }]
    : runAt(commit)
}

function* runAt(commit: string): Iterable<Step> {
  yield { state: 'working', text: `Checking out ${commit} and starting the suite` }
  const log = [
    'collected 13 items\n',
    'tests/test_charges.py ........ [ 61%]\n',
    'tests/test_refunds.py ..... [100%]\n',
    '13 passed in 4.38s\n',
  ]
  for (const [at, text] of log.entries()) {
    yield {
      artifact: { artifactId: 'test-log', name: 'test-log.txt', parts: [{ text }] },
      append: at > 0,
      more: at < log.length - 1,
    }
  }
  yield {
    artifact: {
      artifactId: 'summary',
      name: 'summary.json',
      parts: [{ data: { passed: 13, failed: 0 }, mediaType: 'application/json' }],
    },
  }
  yield { state: 'completed', text: '13 passed' }
}
