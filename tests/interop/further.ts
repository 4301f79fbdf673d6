import { expect } from 'vitest'
import type { A2AAgent, AgentOptions } from '../../src/index.ts'
import { testMatchers, type ExpectedOutcome } from './operations.ts'

const due = 'Is my book due?'
const lend = 'Please lend me Momo.'

/** One call of each other matcher, for the library agent. */
export const further = {
  toReachTaskState: async (agent) => {
    await expect(agent).not.toReachTaskState(due, 'rejected')
    await expect(agent).toReachTaskState(due, 'completed')
  },
  'toReachTaskState, a question': (agent) =>
    expect(agent).toReachTaskState('Please renew it.', 'input-required'),
  toWaitForAuthorization: (agent, url) =>
    expect(agent).toWaitForAuthorization('Please reserve Momo.', {
      approve: async ({ id }) => {
        const { status } = await fetch(`${url}/approve/${id}`, { method: 'POST' })
        expect(status).toBe(204)
      },
      expected: 'It is reserved.',
    }),
  toAdvertiseSkill: async (agent) => {
    await expect(agent).not.toAdvertiseSkill('refund')
    await expect(agent).toAdvertiseSkill('due-date', { tags: ['books'] })
  },
  toAdvertiseCapability: async (agent) => {
    await expect(agent).not.toAdvertiseCapability('extendedAgentCard')
    await expect(agent).toAdvertiseCapability('streaming')
  },
  'toAdvertiseCapability, pushNotifications': (agent) =>
    expect(agent).toAdvertiseCapability('pushNotifications'),
  toBeInTaskState: async (agent) => {
    const reply = await agent.send(due)
    expect(reply).not.toBeInTaskState('working')
    expect(reply).toBeInTaskState('completed')
  },
  toHaveReplyText: async (agent) => {
    const reply = await agent.send(due)
    expect(reply).not.toHaveReplyText('Monday')
    expect(reply).toHaveReplyText('The book is due on Friday.', { exact: true })
  },
  toHaveArtifact: async (agent) => {
    const reply = await agent.send(due)
    expect(reply).not.toHaveArtifact('Loan')
    expect(reply).toHaveArtifact('Answer', 'Friday')
  },
  'toHaveArtifact, data': async (agent) => {
    expect(await agent.send(lend)).toHaveArtifact('Loan', { book: 'Momo', days: 28 })
  },
  toHaveReplyData: async (agent) => {
    expect(await agent.send(due)).not.toHaveReplyData()
    expect(await agent.send(lend)).toHaveReplyData({ book: 'Momo', days: 28 })
  },
  toHaveReplyFile: async (agent) => {
    expect(await agent.send(due)).not.toHaveReplyFile()
    const reply = await agent.send(lend)
    expect(reply).not.toHaveReplyFile({ text: 'Krabat' })
    expect(reply).toHaveReplyFile({ mediaType: 'text/plain', text: 'Momo: 28 days' })
  },
  'toHaveReplyFile, name': async (agent) => {
    expect(await agent.send(lend)).toHaveReplyFile({ name: 'receipt.txt' })
  },
  toAllowCors: (agent) => expect(agent).toAllowCors({ interfaces: 'first' }),
  toAnswerCardAtEndpoint: (agent) => expect(agent).toAnswerCardAtEndpoint(),
  toHaveSignedAgentCard: (agent) => expect(agent).toHaveSignedAgentCard(),
} satisfies Record<string, (agent: A2AAgent, url: string) => Promise<void>>

/** The outcomes that are not "passed without findings". */
export type FurtherDeviations = Partial<Record<keyof typeof further, ExpectedOutcome>>

/** One test for each of them. */
export function testFurther(url: () => string, options: AgentOptions, deviations: FurtherDeviations): void {
  testMatchers(further, url, options, deviations)
}
