import { finding } from '../findings/finding.ts'
import type { Finding } from '../findings/types.ts'
import type { AgentInterface } from '../protocol/model.ts'
import { isBind, isLoopback } from '../http/hosts.ts'
import { sameOrigin } from './addresses.ts'
import { httpUrl } from './values.ts'

/** Where an interface is really called. */
export interface Placement {
  url: string
  findings: Finding[]
}

/** What was typed, fetched and opened, for deciding where an interface is really called. */
export interface PlacementContext {
  typedUrl?: string
  cardUrl?: string
  /** Origin that we opened ourselves for a served or spawned subject. */
  servedOrigin?: string
}

/**
 * Moves an interface's address to where the agent was reached: every address of a subject that we serve ourselves, a loopback
 * address in a card that was reached elsewhere (its path is kept), and a bind address. Everything else stays as it is.
 */
export function placeInterface(item: AgentInterface, context: PlacementContext): Placement {
  const url = httpUrl(item.url)
  if (url === undefined || item.path === undefined) return { url: item.url, findings: [] }
  const served = httpUrl(context.servedOrigin)
  if (served !== undefined) {
    if (url.origin === served.origin) return { url: item.url, findings: [] }
    return moved(
      item,
      move(url, served),
      'note',
      `the agent under test was started here, at ${served.origin}`,
    )
  }
  const reached = httpUrl(context.typedUrl ?? context.cardUrl)
  if (reached === undefined) return { url: item.url, findings: [] }
  const elsewhere = !isLoopback(reached.hostname) && !isBind(reached.hostname)
  if (elsewhere && (isLoopback(url.hostname) || isBind(url.hostname))) {
    return moved(item, move(url, reached), 'warning', `the agent was reached at ${reached.origin}`)
  }
  if (isBind(url.hostname)) {
    const here = new URL(url.href)
    here.hostname = reached.hostname
    return moved(
      item,
      here.href,
      'warning',
      `${url.hostname} is a bind address, not an address a client can call`,
    )
  }
  return { url: item.url, findings: [] }
}

function move(url: URL, to: URL): string {
  return to.origin + url.pathname + url.search
}

function moved(item: AgentInterface, url: string, level: 'note' | 'warning', why: string): Placement {
  if (url === item.url) return { url, findings: [] }
  const path = addressPath(item.path as string)
  return {
    url,
    findings: [
      finding(
        'wire/address-moved',
        `${path} is ${JSON.stringify(item.url)}, but ${why}; requests went to ${url} instead.`,
        { level, path },
      ),
    ],
  }
}

/** Where in the card the address of an interface stands. */
export function addressPath(path: string): string {
  return path === 'url' ? path : `${path}.url`
}

/** A hint for a failing address: a proxy put its own prefix before a path that had it already. */
export function doubledPathHint(url: string, typedUrl: string | undefined): string | undefined {
  const called = httpUrl(url)
  const typed = httpUrl(typedUrl)
  if (called === undefined || typed === undefined || !sameOrigin(called, typed)) return undefined
  const base = typed.pathname.replace(/\/+$/, '')
  const rest = called.pathname.slice(base.length)
  const first = base.split('/')[1]
  if (!first || !called.pathname.startsWith(`${base}/`) || rest.split('/')[1] !== first) return undefined
  return `path looks doubled by a proxy: ${called.pathname} repeats /${first} below ${base}`
}
