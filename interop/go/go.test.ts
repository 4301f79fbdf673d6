import { installed, testLibraryAgent } from '../libraryAgent.ts'
import type { FurtherDeviations } from '../../tests/interop/further.ts'
import { operations, type ExpectedOutcome, type Deviations } from '../../tests/interop/operations.ts'

const program = (name: string): [file: string] => [
  `${installed}go/${name}${process.platform === 'win32' ? '.exe' : ''}`,
]

/** Its handler names no media type. */
const untyped: ExpectedOutcome = { findings: ['warning wire/content-type'] }
/** Streams are typed. */
const typed = ['toStream, a short task', 'toResumeStream']

const unsigned: ExpectedOutcome = {
  fails: /^Received: the card is not signed/m,
  findings: ['error card/unsigned'],
}

/** What both releases leave to the app; the card may be read by pages. */
function bare(binding: 'JSONRPC' | 'HTTP+JSON'): FurtherDeviations {
  const cors =
    binding === 'JSONRPC'
      ? { fails: 'has no Access-Control-Allow-Origin', findings: ['error cors/answer', 'error cors/origin'] }
      : { fails: 'was answered with HTTP 405', findings: ['error cors/answer', 'error cors/preflight'] }
  return {
    toAllowCors: { ...cors, fails: new RegExp(`^Received: OPTIONS \\S+ ${cors.fails}`, 'm') },
    toAnswerCardAtEndpoint: {
      fails:
        binding === 'JSONRPC'
          ? /^Received: GET \S+\/rpc was answered with HTTP 200 \S+, which is not an agent card/m
          : /^Received: GET \S+\/rest was answered with HTTP 404 /m,
      findings: ['error card/not-at-endpoint'],
    },
    toHaveSignedAgentCard: unsigned,
  }
}

testLibraryAgent('a2a-go 0.3.12', {
  command: program('library03'),
  cwd: import.meta.dirname,
  version: '0.3',
  bindings: ['JSONRPC'],
  replyWarnings: ['wire/content-type'],
  deviations: () => ({
    ...(Object.fromEntries(
      Object.keys(operations)
        .filter((name) => !typed.includes(name))
        .map((name) => [name, untyped]),
    ) as Deviations),
    toListTasks: {
      fails: /\[error\][^]*\nError: the agent speaks A2A 0\.3 over .*ListTasks came with A2A 1\.0/,
    },
  }),
  further: (binding) => ({
    toReachTaskState: untyped,
    'toReachTaskState, a question': untyped,
    toWaitForAuthorization: untyped,
    ...bare(binding),
  }),
  furnished: { toHaveSignedAgentCard: unsigned },
})

/** It looks for `pushNotificationConfig`, as the release candidate of 1.0 had it. */
const unregistered: ExpectedOutcome = {
  fails: 'no push notification within 3000 ms',
  findings: ['error push/none'],
}

testLibraryAgent('a2a-go 2.1.0', {
  command: program('library1'),
  cwd: import.meta.dirname,
  version: '1.0',
  deviations: (binding) => ({
    toDeliverPushNotifications: unregistered,
    'toDeliverPushNotifications, authentication': unregistered,
    'toDeliverPushNotifications, token and authentication': unregistered,
    'toDeliverPushNotifications, deleted': unregistered,
    'toDeliverPushNotifications, registered later':
      binding === 'JSONRPC'
        ? { fails: 'invalid params: push config endpoint cannot be empty', findings: ['error rpc/error'] }
        : { findings: ['warning push/token'] },
  }),
  further: bare,
  furnished: { toHaveSignedAgentCard: unsigned },
  extendedCard: (binding) =>
    binding === 'JSONRPC'
      ? { fails: 'error -32700 (ParseError)', findings: ['error rpc/error'] }
      : {
          fails: 'securityRequirements[0].schemes.key must be {"list": [scopes]}, not a bare list',
          findings: ['error card/security-requirements'],
        },
})
