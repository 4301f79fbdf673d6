import type { TaskState } from '../../src/protocol/model.ts'
import type { FixtureExchange } from '../support/fixture.ts'
import { startFixture, type FixtureServer } from '../support/fixtureServer.ts'
import { wireTask } from './support.ts'

/** One event in the envelope of 0.3. */
const event = (result: unknown): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result })}\n\n`

/** An answer of Echo Desk of 0.3: what events a method gives. */
const gives = (rpc: string, results: unknown[], more: Partial<FixtureExchange> = {}): FixtureExchange => ({
  on: 'POST /rpc',
  rpc,
  sse: results.map(event),
  times: '*',
  ...more,
})

const task = (state: TaskState, id: string): Record<string, unknown> => ({
  ...wireTask(state, state === 'completed' ? 'All set.' : undefined),
  id,
})

/**
 * Serves Echo Desk, which streams each message as a task that completes. For a message with "lose" in it the subscription is closed in
 * the middle of the task.
 */
export function streamingAgent(): Promise<FixtureServer> {
  const whole = (id: string): unknown[] => [task('working', id), task('completed', id)]
  const get = (id: string): FixtureExchange => ({
    on: 'POST /rpc',
    rpc: 'tasks/get',
    ifBodyHas: id,
    times: '*',
    json: { jsonrpc: '2.0', id: '$id', result: task('completed', id) },
  })
  return startFixture([
    { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
    gives('message/stream', whole('lost-1'), { ifBodyHas: 'lose' }),
    gives('message/stream', whole('kept-1')),
    gives('tasks/resubscribe', [task('working', 'lost-1')], { ifBodyHas: 'lost-1' }),
    gives('tasks/resubscribe', whole('kept-1')),
    get('lost-1'),
    get('kept-1'),
  ])
}
