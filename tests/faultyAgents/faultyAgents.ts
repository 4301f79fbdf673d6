import type { FaultyAgent } from './faultyAgent.ts'
import { authentication } from './access.ts'
import { extendedCards } from './extendedCards.ts'
import { addresses } from './addresses.ts'
import { authorizations } from './authorizations.ts'
import { cardAddresses } from './cardAddresses.ts'
import { cancels } from './cancels.ts'
import { cards } from './cards.ts'
import { discovery } from './discovery.ts'
import { httpAnswers } from './http.ts'
import { listings } from './lists.ts'
import { pushes } from './pushes.ts'
import { rpcEnvelope } from './rpc.ts'
import { security } from './security.ts'
import { shapes, unreadable } from './shapes.ts'
import { replies, tasks } from './states.ts'
import { signatureKeys } from './signatureKeys.ts'
import { signatures } from './signatures.ts'
import { streams } from './streams.ts'
import { streamOrder } from './streamOrder.ts'
import { streamPace } from './streamPace.ts'
import { streamResume } from './streamResume.ts'
import { conversations } from './conversations.ts'
import { contextsApart, contextsKept, questions } from './conversationRows.ts'
import { browsers, endpoints } from './web.ts'
import { dialects, oldest, rest1, rest3, third } from './versions.ts'

/** All faulty agents by area. */
export const faultyAgents: Record<string, FaultyAgent[]> = {
  shapes,
  unreadable,
  'JSON-RPC': rpcEnvelope,
  HTTP: httpAnswers,
  tasks,
  replies,
  streams,
  'stream order': streamOrder,
  'stream pace': streamPace,
  'stream resume': streamResume,
  'contexts kept': contextsKept,
  'contexts apart': contextsApart,
  questions,
  conversations,
  authorizations,
  cancel: cancels,
  lists: listings,
  'push notifications': pushes,
  authentication,
  'extended cards': extendedCards,
  browsers,
  endpoints,
  addresses,
  dialects,
  'A2A 0.1': oldest,
  'A2A 0.3': third,
  'HTTP+JSON 1.0': rest1,
  'HTTP+JSON 0.3': rest3,
  discovery,
  card: cards,
  'card addresses': cardAddresses,
  'card security': security,
  'card signatures': signatures,
  'card signature keys': signatureKeys,
}
