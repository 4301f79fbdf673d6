import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { discoverCard, discoveryError } from '../../src/card/discover.ts'
import type { CardReport, Discovery } from '../../src/card/types.ts'
import { systemDeps } from '../../src/core/deps.ts'
import type { A2AError } from '../../src/core/errors.ts'
import { createTransport, type TransportOptions } from '../../src/http/transport.ts'
import {
  startFixture,
  type Fixture,
  type FixtureOptions,
  type RecordedRequest,
} from '../support/fixtureServer.ts'
import { loopbackLookup } from '../support/tls.ts'

/** What came of looking for a card. */
export interface Seen {
  discovery: Discovery
  report?: CardReport
  error?: A2AError
  requests: RecordedRequest[]
  url: string
}

/** Serves a fixture over a socket, looks for its card there, and judges it. */
export async function look(
  fixture: Fixture,
  options: Partial<TransportOptions> & { cardUrl?: string } = {},
  server: FixtureOptions = {},
): Promise<Seen> {
  await using served = await startFixture(fixture, server)
  const deps = systemDeps(server.host === undefined ? {} : { lookup: loopbackLookup })
  const url = server.host === undefined ? served.url : served.url.replace('127.0.0.1', server.host)
  const transport = createTransport({ typedUrl: url, deps, ...options })
  try {
    const cardUrl = options.cardUrl === undefined ? {} : { cardUrl: served.fill(options.cardUrl) }
    const discovery = await discoverCard({ target: url, transport, ...cardUrl })
    const seen: Seen = { discovery, requests: served.requests, url }
    const error = discoveryError(discovery)
    if (error !== undefined) seen.error = error
    const { found } = discovery
    if (found !== undefined) {
      const { mediaType, headers } = found
      seen.report = checkAgentCard(found.json, {
        typedUrl: url,
        cardUrl: found.url,
        response: { mediaType, headers },
      })
    }
    return seen
  } finally {
    await transport.close()
  }
}

/** What a report found, notes left out: `error card/url`. */
export const levels = (report: CardReport | undefined): string[] =>
  (report?.findings ?? []).filter(({ level }) => level !== 'note').map(({ id, level }) => `${level} ${id}`)
