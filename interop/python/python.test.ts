import type { FurtherDeviations } from '../../tests/interop/further.ts'
import { installed, testLibraryAgent } from '../libraryAgent.ts'

const python = (environment: string): string =>
  `${installed}${environment}/${process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python'}`

/** What both releases leave to the app. */
const bare: FurtherDeviations = {
  toAllowCors: {
    fails: /^Received: OPTIONS \S+ was answered with HTTP 40[45]; a browser wants 200 or 204/m,
    findings: ['error cors/answer', 'error cors/preflight', 'warning cors/card'],
  },
  toAnswerCardAtEndpoint: {
    fails: /^Received: GET \S+\/(rpc was answered with HTTP 405|rest was answered with HTTP 404) /m,
    findings: ['error card/not-at-endpoint'],
  },
  toHaveSignedAgentCard: { fails: /^Received: the card is not signed/m, findings: ['error card/unsigned'] },
}

testLibraryAgent('a2a-sdk 0.3.26 of Python', {
  command: [python('python-0.3'), 'library_agent_03.py'],
  cwd: import.meta.dirname,
  version: '0.3',
  deviations: (binding) => ({
    // Each subscription writes what it passes on into the store, where the server has written it already.
    toResumeStream: {
      fails:
        /artifact answer has \d+ characters in tasks\/get, but \d+ in what was streamed before and after the interruption/,
      findings: ['error stream/lost'],
    },
    toListTasks: {
      fails: /\[error\][^]*\nError: the agent speaks A2A 0\.3 over .*ListTasks came with A2A 1\.0/,
    },
    'toDeliverPushNotifications, authentication': {
      fails: /authorization: expected Bearer \*\*\*, got none \(6 of 6 notifications\)/,
      findings: ['error push/authorization'],
    },
    'toDeliverPushNotifications, token and authentication': { findings: ['warning push/authorization'] },
    ...(binding === 'HTTP+JSON' && {
      'toDeliverPushNotifications, deleted': {
        fails: /GET .*\/pushNotificationConfigs answered HTTP 500: "unknown exception"/,
        findings: ['error http/status'],
      },
    }),
  }),
  further: (binding) => ({
    ...bare,
    ...(binding === 'HTTP+JSON' && {
      // The content arrives in base64 twice.
      toHaveReplyFile: { fails: /whose text is "TW9tbzogMjggZGF5cw==" +reply\/no-file/ },
    }),
  }),
  furnished: { toHaveSignedAgentCard: { findings: ['warning card/signature-form'] } },
})

testLibraryAgent('a2a-sdk 1.3.0 of Python', {
  command: [python('python-1'), 'library_agent_1.py'],
  cwd: import.meta.dirname,
  version: '1.0',
  further: () => bare,
})
