import { expect } from 'vitest'
import { a2aAgent, checkSmoke, type AgentOptions, type Finding } from '../../src/index.ts'
import '../../src/vitest.ts'

/** What is expected of an agent built with another library. */
export interface Expected {
  /** The version whose rules judge its card. */
  card: '0.2' | '0.3' | '1.0'
  /** The dialect that the client ends up speaking. */
  dialect: '0.3' | '1.0'
  kind: 'message' | 'task'
  reply: string | RegExp
  /** Every warning about the card, as `id path`. */
  cardWarnings: string[]
  /** Every warning about its reply to the smoke message, as `id path`. */
  replyWarnings: string[]
}

/**
 * Asserts that an agent's card is valid, that it passes the smoke check and replies as expected, without any error, and with
 * exactly these warnings.
 */
export async function expectInterop(url: string, options: AgentOptions, expected: Expected): Promise<void> {
  await using agent = a2aAgent(url, options)

  await expect(agent).toHaveValidAgentCard()
  const { report, discovery } = await agent.card()
  const ofCard = [...report.findings, ...discovery.findings]
  expect(errors(ofCard)).toEqual([])
  expect(warnings(ofCard)).toEqual(expected.cardWarnings)
  expect(report.shape).toMatchObject({ kind: 'card', version: expected.card })

  // In parallel, because some agents are slow.
  const [smoke, reply] = await Promise.all([
    checkSmoke(agent),
    agent.send('Is my book due?'),
    expect(agent).toPassSmokeCheck(),
    expect(agent).toReply('Is my book due?', expected.reply),
    asMostTestsAreWritten(url, options),
  ])
  expect(smoke).toMatchObject({ outcome: 'passed' })
  expect(errors(smoke.findings)).toEqual([])
  expect(warnings(smoke.findings)).toEqual(expected.replyWarnings)
  expect(warnings(reply.findings)).toEqual(expected.replyWarnings)
  expect(reply).toMatchObject({ kind: expected.kind, dialect: expected.dialect, unsettled: false })
  if (expected.kind === 'task') expect(reply).toBeInTaskState('completed')
  const { binding = 'JSONRPC' } = options
  const posted = agent.exchanges.filter(({ method }) => method === 'POST').map((one) => one.url)
  expect(posted.filter((one) => one.endsWith('message:send') !== (binding === 'HTTP+JSON'))).toEqual([])
}

/** By its address alone. */
async function asMostTestsAreWritten(url: string, { version, binding }: AgentOptions): Promise<void> {
  if (version !== undefined || binding === 'HTTP+JSON') return
  await expect(url).toHaveValidAgentCard()
  await expect(url).toPassSmokeCheck()
}

function errors(findings: readonly Finding[]): string[] {
  return findings.filter(({ level }) => level === 'error').map(({ id, message }) => `${id}: ${message}`)
}

function warnings(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ level }) => level === 'warning')
    .map(({ id, path }) => (path ? `${id} ${path}` : id))
    .sort()
}
