import { checkResume } from '../../src/checks/stream/checkResume.ts'
import { faults, type Fault, type Json } from '../../src/testing/index.ts'
import { onSubscription, startResumable } from '../support/resuming.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'

const slow10: StartAgent = (fault) => startResumable({ fault })
const slow03: StartAgent = (fault) => startResumable({ fault, dialect: '0.3' })
const check: Required<FaultyAgent>['check'] = (agent) => checkResume(agent, ['Hello'], budget)

const error = (code: number, message: string): { json: Json } => ({
  json: { jsonrpc: '2.0', error: { code, message } },
})
const taskIn = (state: string): { json: Json } => ({
  json: { jsonrpc: '2.0', result: { id: 't1', contextId: 'c1', status: { state } } },
})
const refusing = (get: Fault): Fault[] => [
  faults.method('SubscribeToTask', error(-32004, 'no second stream')),
  get,
]
/** True for the second chunk of the answer, in either version. */
const isChunk = (result: Json): boolean =>
  ((result['artifactUpdate'] as Json | undefined) ?? result)['append'] === true

/** Streams that cannot be resumed without a loss. */
export const streamResume: FaultyAgent[] = [
  {
    name: 'begins a subscription with an update',
    finding: 'stream/resume-first-event',
    level: 'error',
    message: 'the subscription starts with a status update (working), not with the current task',
    start: slow10,
    fault: onSubscription(faults.dropEvents((_, at) => at === 0)),
    check,
  },
  {
    name: 'refuses subscriptions to a working task',
    finding: 'stream/resume-refused',
    level: 'error',
    message: 'but: SubscribeToTask was answered with error -32004 (UnsupportedOperation): "no second stream"',
    start: slow10,
    fault: refusing(faults.method('GetTask', taskIn('TASK_STATE_WORKING'))),
    check,
  },
  {
    name: 'forgets a task when its client is gone',
    finding: 'stream/resume-refused',
    level: 'error',
    message: 'GetTask: GetTask was answered with error -32001 (TaskNotFound): "gone"',
    start: slow10,
    fault: refusing(faults.method('GetTask', error(-32001, 'gone'))),
    check,
  },
  {
    name: 'cancels a task when its client is gone',
    finding: 'stream/cut-cancels',
    level: 'error',
    message: 'and was then canceled',
    start: slow10,
    fault: refusing(faults.method('GetTask', taskIn('TASK_STATE_CANCELED'))),
    check,
  },
  {
    name: 'loses a chunk for later subscribers',
    finding: 'stream/lost',
    level: 'error',
    message: 'characters in GetTask, but 10 in what was streamed before and after the interruption',
    start: slow10,
    fault: onSubscription(faults.dropEvents(isChunk)),
    check,
  },
  {
    name: 'loses a chunk for later subscribers in 0.3',
    finding: 'stream/lost',
    level: 'error',
    message: 'characters in tasks/get, but 10 in what was streamed before and after the interruption',
    start: slow03,
    fault: onSubscription(faults.dropEvents(isChunk)),
    check,
  },
  {
    name: 'begins with what comes next in 0.3, and loses a chunk of that',
    finding: 'stream/lost',
    level: 'error',
    message: 'characters in tasks/get, but 10 in what was streamed before and after the interruption',
    start: slow03,
    fault: onSubscription(faults.dropEvents((result, at) => at === 0 || isChunk(result))),
    check,
  },
  {
    name: 'sends a chunk twice to later subscribers',
    finding: 'stream/lost',
    level: 'error',
    message:
      'artifact answer has 15 characters in GetTask, but 20 in what was streamed before and after the interruption',
    start: slow10,
    fault: onSubscription(
      faults.stream(async function* (events) {
        for await (const event of events) {
          const { result } = event as { result: Json }
          if (isChunk(result)) {
            const update = { ...(result['artifactUpdate'] as Json), lastChunk: false }
            yield { ...(event as Json), result: { artifactUpdate: update } }
          }
          yield event
        }
      }),
    ),
    check,
  },
  {
    name: 'closes a subscription while it works',
    finding: 'stream/ended-early',
    level: 'error',
    message: 'the stream ended while task',
    start: slow10,
    fault: onSubscription(faults.endStream(2)),
    check,
  },
]
