import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { Credential } from '../../client/types.ts'
import { readDeclaredAuth, type DeclaredAuth } from '../../card/declaredAuth.ts'
import type { ProbeOperation } from '../../client/probe/types.ts'
import { A2APolicyError, A2AUsageError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import type { Verdict } from '../verdict.ts'
import { verdictOn, type DeadlineOption, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult } from '../card/cardOf.ts'
import { count, isRecord, listed, quote } from '../phrases.ts'
import { ownCredentials, textsOf } from './ownCredentials.ts'
import {
  callAs,
  describeDeclaredAuth,
  findingsOfUnauthenticated,
  once,
  unauthenticatedCallers,
  type ProbeResult,
  type ProbeCall,
} from './unauthenticated.ts'

/** Options of `toRequireAuthentication()`. */
export type AuthenticationOptions = DeadlineOption & {
  /** Valid credentials, by the name of the card's security scheme. Default: those of the handle. */
  credentials?: Record<string, Credential>
  /** The operations to call. Default: `getTask` and `send`; without valid credentials also `stream` if the card declares it. */
  operations?: ProbeOperation[]
  /** `all` interfaces that this client can call, or only the `first`, which `send()` calls. Default `all`. */
  interfaces?: 'all' | 'first'
  /** Require authentication even if the card declares none. Default false. */
  required?: boolean
}

interface Plan {
  declared: DeclaredAuth
  /** Unauthenticated requests must be rejected. */
  isClosed: boolean
  calls: ProbeCall[]
  /** Operations that are not called with valid credentials. */
  unauthenticatedOnly: ReadonlySet<ProbeOperation>
  good?: 'handle' | { credentials: Record<string, Credential> }
}

/**
 * Calls the agent without credentials and with malformed, random and valid ones, and checks that it does what its card declares.
 * Throws A2AUsageError `NOT_DECLARED` where the card declares no authentication, `BAD_OPTIONS` for unknown schemes.
 */
export async function checkAuthentication(
  agent: A2AAgent,
  [options = {}]: readonly [options?: AuthenticationOptions],
  budget: Budget,
): Promise<Verdict> {
  const { required = false, operations, interfaces = 'all', credentials } = options
  const expected = 'requests that are rejected without valid credentials and served with them'
  const verdict = await verdictOn({ kind: 'agent', agent }, expected, async () => {
    const read = cardOrResult(await cardOf({ kind: 'agent', agent }))
    if ('result' in read) return read.result
    const { card } = read
    const declared = readDeclaredAuth(card)
    if (declared.kind === 'nothing' && !required) throw notDeclared()
    const all = await agent.interfaces(budget.signal)
    const streams = isRecord(card['capabilities']) && card['capabilities']['streaming'] === true
    const asked: ProbeOperation[] = operations ?? [
      'getTask',
      'send',
      ...(streams ? (['stream'] as const) : []),
    ]
    const good = credentials === undefined ? ownCredentials(agent) : { credentials }
    return checkInterfaces(
      agent,
      {
        declared,
        isClosed: required || declared.kind === 'required',
        calls: (interfaces === 'first' ? all.slice(0, 1) : all).flatMap((to) =>
          asked.map((operation) => ({ to, operation })),
        ),
        unauthenticatedOnly: new Set(operations === undefined ? ['stream'] : []),
        ...(good && { good }),
      },
      budget,
    )
  })
  return { ...verdict, secrets: [...verdict.secrets, ...textsOf(credentials)] }
}

interface Tally {
  findings: Finding[]
  /** Unauthenticated requests that were rejected, and authenticated ones that were served. */
  refused: number
  served: number
  /** True once an A2A agent answered. */
  spoke: boolean
  /** Valid credentials that were not sent because of their origin. */
  withheld?: { names: readonly string[]; origin: string }
}

async function checkInterfaces(agent: A2AAgent, plan: Plan, budget: Budget): Promise<CheckResult> {
  const tally: Tally = { findings: [], refused: 0, served: 0, spoke: false }
  const interfaces = [...new Set(plan.calls.map(({ to }) => to))]
  for (const to of interfaces) {
    const calls = plan.calls.filter((call) => call.to === to)
    await (plan.isClosed
      ? checkClosedInterface(agent, plan, calls, tally, budget)
      : checkOpenInterface(agent, plan, calls, tally, budget))
  }
  const findings = once([...tally.findings, ...aboutCard(plan.declared, tally), ...goodNotTried(plan)])
  const error = findings.find(({ level }) => level === 'error')
  if (error === undefined && tally.withheld !== undefined) throw withheld(tally.withheld)
  if (error !== undefined) {
    return {
      outcome: 'failed',
      received: error.message,
      findings,
      unanswered: !tally.spoke,
    }
  }
  return { outcome: 'passed', received: summary(plan, tally), findings }
}

/** An interface that must reject unauthenticated requests. Cheap operations come first, and an open interface is not called again. */
async function checkClosedInterface(
  agent: A2AAgent,
  { declared, unauthenticatedOnly, good }: Plan,
  calls: readonly ProbeCall[],
  tally: Tally,
  budget: Budget,
): Promise<void> {
  const undecided: string[] = []
  const schemes = declared.schemes.length === 0 ? ['bearer'] : declared.schemes
  for (const call of calls) {
    let isOpen = false
    let isThere = true
    for (const caller of unauthenticatedCallers(schemes)) {
      const asked = await callAs(agent, call, caller.as, budget)
      if (asked === undefined) continue
      noteResponse(tally, asked)
      tally.findings.push(
        ...findingsOfUnauthenticated(asked, caller, { about: describeDeclaredAuth(declared), to: call.to }),
      )
      if (asked.kind === 'refused' || asked.kind === 'refused-in-body') tally.refused += 1
      if (caller.kind !== 'none') continue
      isOpen = asked.kind === 'served'
      isThere = asked.kind !== 'unknown'
      if (!isThere) undecided.push(`${asked.asked} was answered with ${asked.description}`)
      // An agent that serves anonymous callers has failed already; more calls would only cost its owner something.
      if (isOpen || !isThere) break
    }
    if (isOpen) return
    if (isThere && good !== undefined && !unauthenticatedOnly.has(call.operation)) {
      await callWithValidCredentials(agent, call, { good, tally, budget })
    }
  }
  if (undecided.length === calls.length) tally.findings.push(nothingThere(calls, undecided))
}

/** An interface that may be called without credentials. */
async function checkOpenInterface(
  agent: A2AAgent,
  { unauthenticatedOnly, good }: Plan,
  calls: readonly ProbeCall[],
  tally: Tally,
  budget: Budget,
): Promise<void> {
  for (const call of calls) {
    if (unauthenticatedOnly.has(call.operation)) continue
    const asked = await callAs(agent, call, 'anonymous', budget)
    if (asked === undefined) continue
    noteResponse(tally, asked)
    if (asked.kind === 'unknown') continue
    if (asked.kind !== 'served') {
      tally.refused += 1
      tally.findings.push(undeclared(asked, call.to))
    }
    if (good !== undefined) await callWithValidCredentials(agent, call, { good, tally, budget })
    return
  }
}

async function callWithValidCredentials(
  agent: A2AAgent,
  call: ProbeCall,
  { good, tally, budget }: { good: NonNullable<Plan['good']>; tally: Tally; budget: Budget },
): Promise<void> {
  const asked = await callAs(agent, call, good, budget)
  if (asked === undefined) return
  noteResponse(tally, asked)
  if (asked.kind === 'served') tally.served += 1
  if (asked.kind === 'served' || asked.kind === 'unknown') return
  const names = asked.answer?.withheld ?? []
  if (names.length > 0) {
    tally.withheld = { names, origin: new URL(call.to.url).origin }
    return
  }
  const message = `${asked.asked} with the given credentials was answered with ${asked.description}`
  tally.findings.push(finding('auth/good-not-served', message, { path: call.to.path }))
}

function noteResponse(tally: Tally, { kind, answer }: ProbeResult): void {
  if (kind !== 'odd' && (kind !== 'unknown' || answer?.text.includes('jsonrpc') === true)) tally.spoke = true
}

function nothingThere(calls: readonly ProbeCall[], undecided: readonly string[]): Finding {
  const { to } = calls[0] as ProbeCall
  return finding(
    'auth/undecided',
    `no response from ${to.url} shows whether it rejects unauthenticated requests: ${listed(undecided)}`,
    { path: to.path },
  )
}

function undeclared({ asked, description }: ProbeResult, to: AgentInterface): Finding {
  return finding(
    'auth/undeclared',
    `the card allows calls without credentials, but ${asked} without credentials was answered with ${description}`,
    { path: to.path },
  )
}

/** What the card leaves open. */
function aboutCard(declared: DeclaredAuth, { refused }: Tally): Finding[] {
  const { kind, why } = declared
  if (kind === 'required') return []
  if (kind === 'nothing') {
    // Only with `required`: an agent that rejects calls should declare it in the card.
    if (refused === 0) return []
    return [
      finding(
        'auth/undeclared',
        'the card declares no authentication, but requests without credentials were rejected',
      ),
    ]
  }
  const reason = {
    'no-requirement':
      'schemes are declared, but nothing requires them (security / securityRequirements is empty)',
    'empty-alternative': 'schemes are declared, but an empty requirement makes authentication optional',
    'skills-only': 'schemes are declared, but only skills require them, not the agent',
  }[why ?? 'no-requirement']
  return [finding('auth/optional', reason)]
}

function goodNotTried({ good }: Plan): Finding[] {
  if (good !== undefined) return []
  return [
    finding(
      'auth/good-not-tried',
      'no credentials are configured, so requests with valid ones were not tested',
    ),
  ]
}

function summary({ declared, isClosed }: Plan, { refused, served }: Tally): string {
  const good = served === 0 ? '' : `, ${count(served, 'authenticated request')} served`
  if (isClosed)
    return `${count(refused, 'unauthenticated request')} rejected${good}; ${describeDeclaredAuth(declared)}`
  return `an agent whose card allows calls without credentials${good}`
}

function withheld({ names, origin }: NonNullable<Tally['withheld']>): A2APolicyError {
  return new A2APolicyError(
    'REFUSED_BY_POLICY',
    `${listed(names)} not sent to ${origin}, because it is not the agent's own origin; so authenticated requests could not be tested there`,
    { fix: `If they are meant for it: trustedOrigins: [${quote(origin)}].` },
  )
}

function notDeclared(): A2AUsageError {
  return new A2AUsageError(
    'NOT_DECLARED',
    'the card declares no authentication, so there is nothing to require',
    {
      fix: 'Declare securitySchemes and security (0.x) or securityRequirements (1.0), or pass required: true to check anyway.',
    },
  )
}
