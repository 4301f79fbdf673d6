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
import { verdictOn, type DeadlineOption, type Facts } from '../checkResult.ts'
import { cardOf, cardOrFacts } from '../card/cardOf.ts'
import { count, isRecord, listed, quote } from '../phrases.ts'
import { ownCredentials, textsOf } from './ownCredentials.ts'
import {
  askAs,
  describeDeclaredAuth,
  judgeStranger,
  once,
  strangersFor,
  type Asked,
  type Question,
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
  questions: Question[]
  /** Operations that are not called with valid credentials. */
  strangersOnly: ReadonlySet<ProbeOperation>
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
    const read = cardOrFacts(await cardOf({ kind: 'agent', agent }))
    if ('facts' in read) return read.facts
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
    return look(
      agent,
      {
        declared,
        isClosed: required || declared.kind === 'required',
        questions: (interfaces === 'first' ? all.slice(0, 1) : all).flatMap((to) =>
          asked.map((operation) => ({ to, operation })),
        ),
        strangersOnly: new Set(operations === undefined ? ['stream'] : []),
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

async function look(agent: A2AAgent, plan: Plan, budget: Budget): Promise<Facts> {
  const tally: Tally = { findings: [], refused: 0, served: 0, spoke: false }
  const interfaces = [...new Set(plan.questions.map(({ to }) => to))]
  for (const to of interfaces) {
    const questions = plan.questions.filter((question) => question.to === to)
    await (plan.isClosed
      ? lookAtClosed(agent, plan, questions, tally, budget)
      : lookAtOpen(agent, plan, questions, tally, budget))
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
async function lookAtClosed(
  agent: A2AAgent,
  { declared, strangersOnly, good }: Plan,
  questions: readonly Question[],
  tally: Tally,
  budget: Budget,
): Promise<void> {
  const undecided: string[] = []
  const schemes = declared.schemes.length === 0 ? ['bearer'] : declared.schemes
  for (const question of questions) {
    let isOpen = false
    let isThere = true
    for (const stranger of strangersFor(schemes)) {
      const asked = await askAs(agent, question, stranger.as, budget)
      if (asked === undefined) continue
      note(tally, asked)
      tally.findings.push(
        ...judgeStranger(asked, stranger, { about: describeDeclaredAuth(declared), to: question.to }),
      )
      if (asked.kind === 'refused' || asked.kind === 'refused-in-body') tally.refused += 1
      if (stranger.kind !== 'none') continue
      isOpen = asked.kind === 'served'
      isThere = asked.kind !== 'unknown'
      if (!isThere) undecided.push(`${asked.asked} was answered with ${asked.said}`)
      // An agent that serves anonymous callers has failed already; more calls would only cost its owner something.
      if (isOpen || !isThere) break
    }
    if (isOpen) return
    if (isThere && good !== undefined && !strangersOnly.has(question.operation)) {
      await askWell(agent, question, { good, tally, budget })
    }
  }
  if (undecided.length === questions.length) tally.findings.push(nothingThere(questions, undecided))
}

/** An interface that may be called without credentials. */
async function lookAtOpen(
  agent: A2AAgent,
  { strangersOnly, good }: Plan,
  questions: readonly Question[],
  tally: Tally,
  budget: Budget,
): Promise<void> {
  for (const question of questions) {
    if (strangersOnly.has(question.operation)) continue
    const asked = await askAs(agent, question, 'anonymous', budget)
    if (asked === undefined) continue
    note(tally, asked)
    if (asked.kind === 'unknown') continue
    if (asked.kind !== 'served') {
      tally.refused += 1
      tally.findings.push(undeclared(asked, question.to))
    }
    if (good !== undefined) await askWell(agent, question, { good, tally, budget })
    return
  }
}

async function askWell(
  agent: A2AAgent,
  question: Question,
  { good, tally, budget }: { good: NonNullable<Plan['good']>; tally: Tally; budget: Budget },
): Promise<void> {
  const asked = await askAs(agent, question, good, budget)
  if (asked === undefined) return
  note(tally, asked)
  if (asked.kind === 'served') tally.served += 1
  if (asked.kind === 'served' || asked.kind === 'unknown') return
  const names = asked.answer?.withheld ?? []
  if (names.length > 0) {
    tally.withheld = { names, origin: new URL(question.to.url).origin }
    return
  }
  const message = `${asked.asked} with the given credentials was answered with ${asked.said}`
  tally.findings.push(finding('auth/good-not-served', message, { path: question.to.path }))
}

function note(tally: Tally, { kind, answer }: Asked): void {
  if (kind !== 'odd' && (kind !== 'unknown' || answer?.text.includes('jsonrpc') === true)) tally.spoke = true
}

function nothingThere(questions: readonly Question[], undecided: readonly string[]): Finding {
  const { to } = questions[0] as Question
  return finding(
    'auth/undecided',
    `no response from ${to.url} shows whether it rejects unauthenticated requests: ${listed(undecided)}`,
    { path: to.path },
  )
}

function undeclared({ asked, said }: Asked, to: AgentInterface): Finding {
  return finding(
    'auth/undeclared',
    `the card allows calls without credentials, but ${asked} without credentials was answered with ${said}`,
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
