import { card03, card10, interface10, local } from '../cards.ts'
import type { Cases } from './types.ts'

const helpdesk = {
  typedUrl: 'https://desk.example',
  cardUrl: 'https://desk.example/.well-known/agent-card.json',
}

/** Where the card came from, and how it was served. */
export const serving: Cases = {
  'card/bind-address': [
    {
      broken: card03({ url: 'http://0.0.0.0:4100/rpc' }),
      repaired: card03(),
      level: 'warning',
      says: '0.0.0.0 is a bind address, not an address a client can call',
    },
    {
      broken: card03({ url: 'http://[::]:8081/invoke' }),
      repaired: card03({ url: 'https://desk.example/rpc' }),
      from: helpdesk,
      level: 'error',
      says: 'url is "http://[::]:8081/invoke" (the card came from https://desk.example/.well-known/agent-card.json): :: is a bind address',
    },
  ],
  'card/cache-headers': {
    broken: card10(),
    repaired: card10(),
    from: { ...local, response: { mediaType: 'application/json', headers: { etag: '"1"' } } },
    repairedFrom: {
      ...local,
      response: { mediaType: 'application/json', headers: { etag: '"1"', 'cache-control': 'max-age=60' } },
    },
    level: 'note',
    says: 'served without cache-control',
  },
  'card/content-type': [
    {
      broken: card03(),
      repaired: card03(),
      from: { ...local, response: { mediaType: 'text/plain', headers: {} } },
      repairedFrom: { ...local, response: { mediaType: 'application/a2a+json', headers: {} } },
      level: 'warning',
      says: 'served as text/plain, not as application/json',
    },
    {
      broken: card03(),
      repaired: card03(),
      from: { ...local, response: { mediaType: '', headers: {} } },
      repairedFrom: { ...local, response: { mediaType: 'application/json', headers: {} } },
      level: 'warning',
      says: 'served without a content-type',
    },
  ],
  'card/legacy-path': {
    broken: card03(),
    repaired: card03(),
    from: { ...local, cardUrl: 'http://127.0.0.1:4100/desk/.well-known/agent.json' },
    repairedFrom: local,
    level: 'warning',
    says: 'only at the legacy path /desk/.well-known/agent.json; clients of A2A 0.3 and later look for /desk/.well-known/agent-card.json',
  },
  'card/loopback-address': [
    {
      broken: card03(),
      repaired: card03({ url: 'https://desk.example/rpc' }),
      from: helpdesk,
      level: 'warning',
      says: 'a loopback address: its path is called at https://desk.example instead',
    },
    {
      broken: card03(),
      repaired: card03(),
      from: {},
      repairedFrom: { served: true },
      level: 'warning',
      says: 'only clients on the same machine can call it',
    },
  ],
  'card/other-origin': [
    {
      broken: card03({ url: 'http://127.0.0.1:4999/rpc' }),
      repaired: card03({ url: 'http://localhost:4100/rpc' }),
      level: 'warning',
      says: 'the card points to http://127.0.0.1:4999, a different origin from http://127.0.0.1:4100; credentials were not sent there (option trustedOrigins)',
    },
    {
      broken: card10({ supportedInterfaces: [interface10({ url: 'https://other.example/rpc' })] }),
      repaired: card10({ supportedInterfaces: [interface10({ url: 'https://other.example/rpc' })] }),
      from: helpdesk,
      repairedFrom: { ...helpdesk, trustedOrigins: ['https://other.example'] },
      level: 'warning',
      says: 'the card points to https://other.example',
    },
  ],
  'card/plain-http': [
    {
      broken: card10({ supportedInterfaces: [interface10({ url: 'http://desk.example/rpc' })] }),
      repaired: card10({ supportedInterfaces: [interface10({ url: 'https://desk.example/rpc' })] }),
      from: helpdesk,
      level: 'error',
      says: 'supportedInterfaces[0].url is "http://desk.example/rpc", plain http, but the card came from https://desk.example over https',
    },
    {
      broken: card03({ url: 'http://desk.example/rpc' }),
      repaired: card03(),
      from: {},
      level: 'warning',
      says: 'plain http; A2A requires https in production',
    },
  ],
  'card/private-address': [
    {
      broken: card03({ url: 'https://10.0.3.7:9090/a2a' }),
      repaired: card03({ url: 'https://desk.example/a2a' }),
      from: helpdesk,
      level: 'error',
      says: '10.0.3.7 is a private address',
    },
    {
      broken: card03({ url: 'https://10.0.3.7:9090/a2a' }),
      repaired: card03(),
      level: 'warning',
      says: '10.0.3.7 is a private address',
    },
  ],
}
