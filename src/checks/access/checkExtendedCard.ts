import type { A2AAgent } from '../../agent/types.ts'
import type { Credential } from '../../client/types.ts'
import { readDeclaredAuth } from '../../card/declaredAuth.ts'
import type { CardObject } from '../../card/types.ts'
import { withoutCredentials } from '../../client/probe/callers.ts'
import { A2AUsageError, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { HeaderSource } from '../../http/types.ts'
import type { Verdict } from '../verdict.ts'
import { failing, verdictOn, type DeadlineOption, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult } from '../card/cardOf.ts'
import { count, isRecord } from '../phrases.ts'
import { ownCredentials, textsOf } from './ownCredentials.ts'
import { callAs, findingsOfUnauthenticated, once, unauthenticatedCallers } from './unauthenticated.ts'

/** Options of `toServeExtendedCard()`. */
export type ExtendedCardOptions = DeadlineOption & {
  /** Valid credentials, by the name of the card's security scheme. Default: those of the handle. */
  credentials?: Record<string, Credential>
  /** Request it even if the card does not declare an extended card. Default false. */
  force?: boolean
}

/**
 * Requests the extended card without valid credentials, which must be rejected, and with them, which must return a valid card.
 * Throws A2AUsageError `NOT_DECLARED` where the card has none, `BAD_OPTIONS` without credentials.
 */
export async function checkExtendedCard(
  agent: A2AAgent,
  [options = {}]: readonly [options?: ExtendedCardOptions],
  budget: Budget,
): Promise<Verdict> {
  const { credentials, force = false } = options
  const subject = { kind: 'agent', agent } as const
  const expected = 'a valid extended card for authenticated callers, and none for anonymous ones'
  const exchanges = [...agent.exchanges]
  const verdict = await verdictOn(subject, expected, async () => {
    const read = cardOrResult(await cardOf(subject))
    if ('result' in read) return read.result
    const { card } = read
    if (!force && !declaresIt(card)) throw notDeclared(card)
    const refusals = await callUnauthenticated(agent, card, budget)
    if (refusals.some(({ id }) => id.endsWith('accepted') || id === 'auth/not-enforced'))
      return failed(refusals)
    if (credentials === undefined && ownCredentials(agent) === undefined) throw needsCredentials()
    const caller = credentials === undefined ? agent : withCredentials(agent, credentials, card)
    try {
      const { report } = await caller.extendedCard({
        force: true,
        signal: budget.signal,
      })
      const findings = [...refusals, ...report.findings]
      const made = agent.exchanges.filter((exchange) => !exchanges.includes(exchange))
      const all = caller === agent ? {} : { exchanges: [...made, ...caller.exchanges] }
      if (refusals.some(({ level }) => level === 'error')) return { ...failed(findings), ...all }
      const errors = count(report.errors.length, 'error')
      const { shape } = report
      const rules = shape.kind === 'card' ? ` by the rules of A2A ${shape.version}` : ''
      return {
        outcome: report.errors.length === 0 ? 'passed' : 'failed',
        received: `an extended card with ${report.errors.length === 0 ? 'no error' : errors}${rules}`,
        findings,
        ...all,
      }
    } catch (error) {
      if (!isReplyError(error) || (error.status !== 401 && error.status !== 403)) throw error
      const made = agent.exchanges.filter((exchange) => !exchanges.includes(exchange))
      return failing(
        'auth/good-not-served',
        `the extended card was refused despite valid credentials: ${error.message}`,
        {
          findings: refusals,
          unanswered: false,
          fix: 'Accept the credential in the place the card declares, or correct the credentials of the test.',
          ...(caller !== agent && { exchanges: [...made, ...caller.exchanges] }),
        },
      )
    } finally {
      if (caller !== agent) await caller.close()
    }
  })
  return { ...verdict, secrets: [...verdict.secrets, ...textsOf(credentials)] }
}

async function callUnauthenticated(agent: A2AAgent, card: CardObject, budget: Budget): Promise<Finding[]> {
  const declared = readDeclaredAuth(card)
  const schemes = declared.schemes.length === 0 ? ['bearer'] : declared.schemes
  // The extended card is for authenticated clients only, whatever the card requires for other operations.
  const about = 'an extended card is for authenticated clients only'
  const [to] = await agent.interfaces(budget.signal)
  const findings: Finding[] = []
  if (to === undefined) return findings
  for (const caller of unauthenticatedCallers(schemes)) {
    const asked = await callAs(agent, { to, operation: 'extendedCard' }, caller.as, budget)
    if (asked === undefined) continue
    // Only the answer to an authenticated request shows whether the agent has an extended card.
    if (asked.kind === 'unknown') break
    const read =
      asked.isError === true && asked.kind === 'served' ? { ...asked, kind: 'odd' as const } : asked
    findings.push(...findingsOfUnauthenticated(read, caller, { about, to }))
    if (read.kind === 'served') break
  }
  return once(findings)
}

function failed(findings: readonly Finding[]): CheckResult {
  const received = findings.find(({ level }) => level === 'error')?.message ?? ''
  return { outcome: 'failed', received, findings }
}

/** The same agent, called with these credentials instead of the handle's. */
function withCredentials(
  agent: A2AAgent,
  credentials: Record<string, Credential>,
  card: CardObject,
): A2AAgent {
  const { headers } = agent.options
  const kept: HeaderSource | undefined =
    typeof headers === 'function'
      ? async (about) => withoutCredentials(await headers(about), card)
      : headers && withoutCredentials(headers, card)
  return agent.withOptions({ credentials, headers: kept })
}

function declaresIt(card: CardObject): boolean {
  const { capabilities } = card
  if (card['supportsAuthenticatedExtendedCard'] === true) return true
  return isRecord(capabilities) && capabilities['extendedAgentCard'] === true
}

function notDeclared(card: CardObject): A2AUsageError {
  const name =
    card['supportedInterfaces'] === undefined
      ? 'supportsAuthenticatedExtendedCard'
      : 'capabilities.extendedAgentCard'
  return new A2AUsageError('NOT_DECLARED', `the card does not declare an extended card (${name}: true)`, {
    fix: `Set ${name} to true once the agent has one, or pass force: true to request it anyway.`,
  })
}

function needsCredentials(): A2AUsageError {
  return new A2AUsageError(
    'BAD_OPTIONS',
    'anonymous callers are denied the extended card, as they should be; no credentials are configured to request it with',
    { fix: 'Pass the option credentials, or pass credentials or headers to a2aAgent().' },
  )
}
