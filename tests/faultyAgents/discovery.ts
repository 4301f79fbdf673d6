import type { A2AAgent } from '../../src/agent/types.ts'
import { checkCapability } from '../../src/checks/card/checkCapability.ts'
import { checkCard } from '../../src/checks/card/checkCard.ts'
import { checkSkill, type PartialSkill } from '../../src/checks/card/checkSkill.ts'
import { faults } from '../../src/testing/index.ts'
import type { Verdict } from '../../src/checks/verdict.ts'
import type { FaultyAgent } from './faultyAgent.ts'
import { card03, card10 } from './baseCards.ts'

type Check = (agent: A2AAgent) => Promise<Verdict>

export const judged: Check = (agent) => checkCard({ kind: 'agent', agent }, [])
const skill =
  (id: string, partial?: PartialSkill): Check =>
  (agent) =>
    checkSkill({ kind: 'agent', agent }, partial === undefined ? [id] : [id, partial])
const capability =
  (name: string): Check =>
  (agent) =>
    checkCapability({ kind: 'agent', agent }, [name])

/** Finding the card, and what it must offer. */
export const discovery: FaultyAgent[] = [
  {
    name: 'has no card',
    finding: 'card/found',
    level: 'error',
    message: 'no agent card was found',
    start: card10,
    fault: faults.cardReply({ status: 404, text: 'no route' }),
    check: judged,
  },
  {
    name: 'shows a page where its card should be, when it is to be called',
    finding: 'card/found',
    level: 'error',
    message: '200 text/html, an HTML page (login page or SPA fallback?), expected JSON',
    start: card10,
    fault: faults.cardReply({ headers: { 'content-type': 'text/html' }, text: '<!doctype html><p>Hi' }),
  },
  {
    name: 'serves the manifest of something else',
    finding: 'card/not-a2a',
    level: 'error',
    message: 'this is not an A2A agent card',
    start: card10,
    fault: faults.cardReply({ json: { openapi: '3.1.0', info: { title: 'Desk', version: '1' }, paths: {} } }),
    check: judged,
  },
  {
    name: 'serves the manifest of something else, and is to be called',
    finding: 'card/not-a2a',
    level: 'error',
    message: 'is not an A2A agent card: it looks like',
    start: card10,
    fault: faults.cardReply({ json: { openapi: '3.1.0', info: { title: 'Desk', version: '1' }, paths: {} } }),
  },
  {
    name: 'mixes two versions in its card',
    finding: 'card/ambiguous',
    level: 'error',
    outcome: 'inconclusive',
    message: 'cannot tell which A2A version this card follows',
    start: card03,
    fault: faults.card('protocolVersion', '1.0'),
    check: judged,
  },
  {
    name: 'refuses its card to clients of 1.0',
    finding: 'card/version-header',
    level: 'note',
    message: 'answered 400 to a request with the header A2A-Version: 1.0, and 200 to one without it',
    start: card03,
    fault: {
      reply: (own, { headers }) =>
        headers['a2a-version'] === undefined ? own : { status: 400, json: { error: 'unknown version' } },
    },
    check: judged,
  },
  {
    name: 'lost a skill',
    finding: 'card/no-skill',
    level: 'error',
    message: 'a card with 1 skill: "shout"',
    start: card10,
    fault: faults.card('skills[0].id', 'shout'),
    check: skill('echo'),
  },
  {
    name: 'describes its skill otherwise',
    finding: 'card/skill-differs',
    level: 'error',
    message: 'whose tags has no "demo"',
    start: card10,
    fault: faults.card('skills[0].tags', ['test']),
    check: skill('echo', { tags: ['demo'] }),
  },
  {
    name: 'no longer streams',
    finding: 'card/no-capability',
    level: 'error',
    message: 'capabilities.streaming is false',
    start: card10,
    fault: faults.card('capabilities.streaming', false),
    check: capability('streaming'),
  },
  {
    name: 'dropped an extension',
    finding: 'card/no-extension',
    level: 'error',
    message: 'a card without extensions',
    start: card10,
    fault: faults.card('capabilities.extensions', []),
    check: capability('https://desk.example/ext/tone/v1'),
  },
]
