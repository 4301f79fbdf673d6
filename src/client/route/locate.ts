import type { FoundCard } from '../types.ts'
import { readOffers } from '../../card/offers.ts'
import { addressPath, placeInterface } from '../../card/placement.ts'
import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { AgentInterface } from '../../protocol/model.ts'

/** Finds the address at which an interface is really called, and reports what is odd about it. */
export function locate(
  candidate: AgentInterface,
  about: { found?: FoundCard | undefined; typedUrl: string; servedOrigin?: string | undefined },
): { interface: AgentInterface; findings: Finding[] } {
  const { found, typedUrl, servedOrigin } = about
  const cardUrl = found?.discovery.found?.url
  const findings: Finding[] = []
  let { url } = candidate

  const written = writtenUrl(found, candidate.path)
  if (written !== undefined && !URL.canParse(written)) {
    // A card that was given as an object has no address of its own to resolve against.
    const base = cardUrl ?? typedUrl
    if (!URL.canParse(url) && URL.canParse(url, base)) url = new URL(url, base).href
    const path = addressPath(candidate.path as string)
    findings.push(
      finding(
        'wire/relative-address',
        `${path} is ${JSON.stringify(written)}, which must be an absolute http(s) URL; it was read as ${url}`,
        { path },
      ),
    )
  }
  const placement = placeInterface(
    { ...candidate, url },
    {
      typedUrl,
      ...(cardUrl !== undefined && { cardUrl }),
      ...(servedOrigin !== undefined && { servedOrigin }),
    },
  )
  return {
    interface: { ...candidate, url: placement.url },
    findings: [...findings, ...placement.findings],
  }
}

function writtenUrl(found: FoundCard | undefined, path: string | undefined): string | undefined {
  const card = found?.card
  if (card === undefined || path === undefined) return undefined
  const offer = readOffers(card).find((one) => one.path === path)
  return typeof offer?.url === 'string' ? offer.url : undefined
}
