import type { A2AAgent } from '../../src/agent/types.ts'
import { checkStream, type StreamCheckOptions } from '../../src/checks/stream/checkStream.ts'
import { startAgentFrom, type Step } from '../../src/testing/index.ts'
import { manualClock, type ManualClock } from '../support/manualClock.ts'
import { budget, type FaultyAgent } from './faultyAgent.ts'
import { itself } from './baseAgents.ts'

const steps: Step[] = [
  { state: 'working' },
  { artifact: { artifactId: 'a1', parts: [{ text: 'Oslo' }] } },
  { state: 'completed' },
]

/** Lets an agent's events be read at the given pace: one after the other, or all after a silence. */
function readAt(agent: A2AAgent, clock: ManualClock, pace: { first: number; step: number }): A2AAgent {
  const start = agent.stream.bind(agent)
  const stream: A2AAgent['stream'] = (...args) => {
    const own = start(...args)
    const read = own[Symbol.asyncIterator].bind(own)
    async function* paced(): AsyncGenerator {
      await clock.advance(pace.first)
      for await (const event of { [Symbol.asyncIterator]: read }) {
        yield event
        await clock.advance(pace.step)
      }
    }
    return Object.defineProperty(own, Symbol.asyncIterator, { value: paced })
  }
  return Object.defineProperty(agent, 'stream', { value: stream })
}

function paced(
  options: StreamCheckOptions,
  broken = { first: 3000, step: 0 },
): Required<Pick<FaultyAgent, 'start' | 'fault' | 'check'>> {
  let clock = manualClock()
  return {
    start: async (fault) => {
      clock = manualClock()
      return { ...(await startAgentFrom({ respond: () => [...steps], fault })), deps: { clock } }
    },
    fault: itself,
    check: (agent, which) => {
      const pace = which === 'broken' ? broken : { first: 5, step: 400 }
      return checkStream(readAt(agent, clock, pace), ['Hello', options], budget)
    },
  }
}

/** Streams whose events come late, or all at once. */
export const streamPace: FaultyAgent[] = [
  {
    name: 'is behind a proxy that buffers, where the test asks for steps',
    finding: 'stream/one-piece',
    level: 'error',
    message:
      '4 events arrived within 0 ms after 3000 ms of silence: the response looks buffered, perhaps by a proxy',
    ...paced({ incremental: true }),
  },
  {
    name: 'is behind a proxy that buffers',
    finding: 'stream/one-piece',
    level: 'note',
    message: '4 events arrived within 0 ms after 3000 ms of silence',
    ...paced({}),
  },
  {
    name: 'lets its client wait for a first sign',
    finding: 'stream/first-event-late',
    level: 'error',
    message: 'the first event arrived after 3000 ms, not within 1000 ms',
    ...paced({ firstEventMs: 1000 }, { first: 3000, step: 400 }),
  },
]
