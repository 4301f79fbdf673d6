import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { createAgent } from '../../src/agent/handle.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import type { AgentOptions } from '../../src/client/types.ts'
import { systemDeps, type Deps } from '../../src/core/deps.ts'
import {
  startFixture,
  type Fixture,
  type FixtureExchange,
  type FixtureOptions,
  type FixtureServer,
  type RecordedRequest,
} from '../support/fixtureServer.ts'
import { manualClock } from '../support/manualClock.ts'
import { loopbackLookup, testCa, testTls } from '../support/tls.ts'

/** The fixture of a field case, a fresh copy each time. */
export function fixture(id: string): Fixture {
  const file = new URL(`fixtures/${id}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Fixture
}

/** The entry of a fixture that answers a method, to be changed for a variant. */
export function entry(scene: Fixture, of: string): FixtureExchange {
  const found = scene.exchange?.find(({ rpc, on }) => rpc === of || on === of)
  if (found === undefined) throw new Error(`the fixture has no entry for ${of}`)
  return found
}

/** A fixture that is being played. */
export interface Desk extends FixtureServer {
  /** A handle as `a2aAgent()` makes it, with time that jumps over every sleep; closed together with the server. */
  agent(options?: AgentOptions, deps?: Partial<Deps>): A2AAgent
  /** What an assertion throws, without colours, and with the addresses as the fixture writes them. */
  failure(assertion: () => unknown): Promise<string>
  /** What a negated matcher says when it fails because the matcher itself passes: the way to see warnings. */
  passing(negated: () => unknown): Promise<string>
  /** The same addresses for any text. */
  shown(text: string): string
  /** JSON-RPC methods that arrived, in order. */
  methods(): (string | undefined)[]
  /** `GET /path`, in order. */
  paths(): string[]
  posts(): RecordedRequest[]
}

/**
 * Opens a fake server for a case. Where the fixture has no card, one is added of the version that its methods belong to,
 * for the address that it answers at.
 */
export async function open(scene: Fixture, options: FixtureOptions = {}): Promise<Desk> {
  const server = await startFixture(
    { ...scene, exchange: [...cardFor(scene), ...(scene.exchange ?? [])] },
    options,
  )
  const agents: A2AAgent[] = []
  const shown = (text: string): string =>
    Object.entries(server.origins).reduce(
      (sofar, [port, origin]) =>
        sofar.replaceAll(
          origin,
          options.host === undefined ? `http://127.0.0.1:${port}` : `https://${options.host}`,
        ),
      text,
    )
  const caught = async (assertion: () => unknown): Promise<string> => {
    try {
      await assertion()
    } catch (error) {
      return shown(stripVTControlCharacters((error as Error).message))
    }
    throw new Error('The assertion passed.')
  }
  const close = async (): Promise<void> => {
    server.release()
    await Promise.all(agents.map((agent) => agent.close()))
    await server.close()
  }
  const posts = (): RecordedRequest[] => server.requests.filter(({ method }) => method === 'POST')
  const isPublic = options.host !== undefined

  return {
    ...server,
    agent(given = {}, deps = {}) {
      const tls = isPublic ? { tls: { ca: testCa } } : {}
      const lookup = isPublic ? { lookup: loopbackLookup } : {}
      const all = { clock: manualClock({ auto: true }), env: {}, ...lookup, ...deps }
      const agent = createAgent(server.url, { ...tls, ...given }, systemDeps(all))
      agents.push(agent)
      return agent
    },
    failure: caught,
    async passing(negated) {
      const message = await caught(negated)
      if (!/^\[failed\] expect\(\w+\)\.not\./.test(message))
        throw new Error(`The matcher did not pass:\n${message}`)
      return message
    },
    shown,
    methods: () => posts().map(({ rpc }) => rpc?.method),
    paths: () => server.requests.map(({ method, path }) => `${method} ${path}`),
    posts,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The fixture behind a public host name, over TLS. */
export function openPublic(scene: Fixture): Promise<Desk> {
  return open(scene, { tls: testTls, host: 'desk.example' })
}

function cardFor({ exchange = [] }: Fixture): FixtureExchange[] {
  if (exchange.some(({ on }) => on.startsWith('GET '))) return []
  const post = exchange.find(({ rpc }) => rpc !== undefined)
  const isNew = /^[A-Z]/.test(post?.rpc ?? '')
  const path = post?.on.replace(/^POST /, '') ?? '/rpc'
  const patch = isNew || path === '/rpc' ? {} : { patch: { url: `http://127.0.0.1:4100${path}` } }
  return [{ on: 'GET /.well-known/agent-card.json', json: isNew ? '$CARD10' : '$CARD03', ...patch }]
}
