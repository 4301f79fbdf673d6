import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { DeclaredAuth } from '../../card/declaredAuth.ts'
import type { ProbeAnswer, ProbeCaller, ProbeOperation } from '../../client/probe/types.ts'
import { isA2AError, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import { listed, quote } from '../phrases.ts'
import { readAnswer, type Reading } from './readAnswer.ts'

/** A caller that must be rejected. */
export interface UnauthenticatedCaller {
  as: ProbeCaller
  /** Completes "… was answered": `without credentials`, `with a random credential for "bearer"`. */
  how: string
  kind: 'none' | 'malformed' | 'wrong'
}

/** The anonymous caller comes first: if it is served, so are the others. */
export function unauthenticatedCallers(schemes: readonly string[]): UnauthenticatedCaller[] {
  return [
    { as: 'anonymous', how: 'without credentials', kind: 'none' },
    ...schemes.map((scheme): UnauthenticatedCaller => ({
      as: { scheme, credential: 'malformed' },
      how: `with a malformed credential for ${quote(scheme)}`,
      kind: 'malformed',
    })),
    ...schemes.map((scheme): UnauthenticatedCaller => ({
      as: { scheme, credential: 'wrong' },
      how: `with a random credential for ${quote(scheme)}`,
      kind: 'wrong',
    })),
  ]
}

/** An answer and what it says; `answer` is missing if the connection itself was refused. */
export interface ProbeResult extends Reading {
  asked: string
  answer?: ProbeAnswer
}

/** One call: the interface and the operation. */
export interface ProbeCall {
  to: AgentInterface
  operation: ProbeOperation
}

/** Sends one probe and reads the answer; undefined if it cannot be sent. Throws A2AError if nothing answered. */
export async function callAs(
  agent: A2AAgent,
  { to, operation }: ProbeCall,
  as: ProbeCaller,
  budget: Budget,
): Promise<ProbeResult | undefined> {
  try {
    const answer = await agent.probe({
      to,
      operation,
      as,
      signal: budget.signal,
    })
    return answer && { ...readAnswer(answer), asked: answer.asked, answer }
  } catch (error) {
    if (isReplyError(error) && error.finding === 'http/redirect') {
      return { kind: 'odd', description: `HTTP ${error.status ?? 302} and a redirect`, asked: operation }
    }
    // Without a client certificate there is no connection; servers refuse it in several ways.
    const isUnauthenticated = as === 'anonymous' || (typeof as === 'object' && 'scheme' in as)
    const isClosed = isA2AError(error) && (error.code === 'TLS' || error.code === 'UNREACHABLE')
    if (isUnauthenticated && isClosed && agent.options.tls?.cert !== undefined) {
      return { kind: 'refused', description: 'a connection that was closed', asked: operation }
    }
    throw error
  }
}

const accepted = {
  none: 'auth/not-enforced',
  malformed: 'auth/malformed-accepted',
  wrong: 'auth/wrong-accepted',
} as const

/** The findings about an answer to a caller that must be rejected; `about` is the reason: `the card requires "bearer"`. */
export function findingsOfUnauthenticated(
  { kind, description, asked, answer }: ProbeResult,
  { how, kind: what }: UnauthenticatedCaller,
  { about, to }: { about: string; to: AgentInterface },
): Finding[] {
  const path = to.path === undefined ? {} : { path: to.path }
  const source = 'A2A 0.3 §4.4, A2A 1.0 §7.4'
  const streamed = answer?.mediaType === 'text/event-stream' && answer.status < 300
  switch (kind) {
    case 'unknown':
      return []
    case 'refused':
      return answer === undefined ? [] : challengeFindings(answer, how, path)
    case 'refused-in-body':
      if (streamed) {
        return [
          finding(
            'auth/refused-in-stream',
            `${asked} ${how} was rejected only inside an event stream: ${description}`,
            { ...path, source },
          ),
        ]
      }
      return [
        finding(
          'auth/refused-in-body',
          `${asked} ${how} was refused with ${description}; clients and gateways expect HTTP 401 or 403`,
          { ...path, source },
        ),
      ]
    case 'served':
      return [
        finding(accepted[what], `${about}, but ${asked} ${how} was answered with ${description}`, {
          ...path,
          source,
        }),
      ]
    case 'odd':
      // RFC 6750 §3.1 allows 400 for a malformed request.
      if (what === 'malformed' && answer?.status === 400) return []
      return [
        finding(
          'auth/odd-refusal',
          `${about}, but ${asked} ${how} was answered with ${description}, which is neither HTTP 401 nor 403`,
          { ...path, source },
        ),
      ]
  }
}

/** `the card requires "bearer"` */
export function describeDeclaredAuth({ kind, schemes }: DeclaredAuth): string {
  if (kind !== 'required') return 'credentials are required (required: true)'
  return `the card requires ${listed(schemes.map((name) => quote(name)))}`
}

function challengeFindings(
  { status, headers, asked }: ProbeAnswer,
  how: string,
  path: { path?: string },
): Finding[] {
  if (status !== 401 || (headers['www-authenticate'] ?? '').trim() !== '') return []
  return [
    finding(
      'auth/no-challenge',
      `${asked} ${how} was rejected with HTTP 401, but without a WWW-Authenticate header`,
      path,
    ),
  ]
}

/** Drops warnings that repeat an earlier one at the same path. */
export function once(findings: readonly Finding[]): Finding[] {
  const distinct: Finding[] = []
  for (const finding of findings) {
    const same = distinct.some(
      ({ id, path }) => finding.level !== 'error' && id === finding.id && path === finding.path,
    )
    if (!same) distinct.push(finding)
  }
  return distinct
}
