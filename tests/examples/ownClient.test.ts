import { expect, test } from 'vitest'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import type { AgentOptions } from '../../src/client/types.ts'
import type { Finding } from '../../src/findings/types.ts'
import {
  startAgentFrom,
  startCodeReviewer,
  startDeployer,
  startHelpdesk,
  startRestAgent,
  startSlowAgent,
  startStudio,
  startTestRunner,
  type DemoAgent,
} from '../../src/testing/index.ts'

/** What a finding says, in one word each; notes only inform. */
const weighty = (findings: Finding[]) =>
  findings.filter((finding) => finding.level !== 'note').map(({ level, id }) => `${level} ${id}`)

const finishing = async () => {
  const agent = await startSlowAgent()
  agent.finish()
  return agent
}

// The agents that others learn from must not teach faults, so each tolerance that one of them needs stands here.
test.each<[string, () => Promise<DemoAgent>, string, string[], string[], AgentOptions?]>([
  ['test-runner', () => startTestRunner(), 'Run the tests at commit a41d7c3', [], []],
  ['code-reviewer', () => startCodeReviewer(), 'What do you check?', [], []],
  ['Helpdesk', () => startHelpdesk(), 'I was charged twice for order #4411', [], []],
  [
    'deployer',
    () => startDeployer(),
    'Deploy build 1 to staging',
    [],
    [],
    { credentials: { bearer: 'dpl_test_7c1e4b' } },
  ],
  ['REST helpdesk', () => startRestAgent(), 'hi', [], []],
  ['Slow helpdesk', finishing, 'hi', [], []],
  ['Echo Desk 1.0', () => startAgentFrom(), 'hi', [], []],
  ['Echo Desk 0.3', () => startAgentFrom({ dialect: '0.3' }), 'hi', [], []],
  // The 0.1 card knows no protocol version, so it is judged as 0.2 and first spoken to in 0.2; it writes `text` for a media type.
  [
    'Studio',
    () => startStudio(),
    'What services do you offer?',
    [
      'warning card/legacy-path',
      'warning card/media-types',
      'warning card/media-types',
      'warning card/protocol-version',
    ],
    ['warning wire/fallback'],
  ],
])(
  '%s needs no other tolerance in its card and its reply',
  async (_, start, message, cardFindings, replyFindings, options) => {
    await using demo = await start()
    await using agent = a2aAgent(demo.url, options)

    const { report } = await agent.card()
    expect(weighty(report.findings)).toEqual(cardFindings)

    const reply = await agent.send(message)
    expect(reply.text).not.toBe('')
    expect(weighty(reply.findings)).toEqual(replyFindings)
  },
)
