// A conversation of eight turns in which everything that is not this package's is ready beforehand: what the simulated user writes, and what
// the judge says. Each conversation is about another order, so that nothing can be known from the conversation before.
import { setTimeout as sleep } from 'node:timers/promises'

export const turns = 8

/** What the user writes about an order, turn by turn. */
export const messagesAbout = (order) => [
  `Hi, I am still waiting for order ${order}. Can you tell me where it is?`,
  `When did order ${order} leave the warehouse?`,
  `Who carries it? I have never heard of them. It is ${order}, as I said.`,
  `Is ${order} through customs already, or does that come later?`,
  `I am not at home on Thursday before noon. What can I do about ${order}?`,
  `My neighbour could take it. Until when can I change the address of ${order}?`,
  `Please send ${order} to Mia Lindqvist at number 12, same street.`,
  `Fine. What is the tracking number of ${order}, so that she can look herself?`,
]

/** The options of a conversation about an order. */
export const conversationAbout = (order) => ({
  persona: `A customer who was away for two weeks and writes short, polite messages. Waits for order ${order}.`,
  goal: `Find out where order ${order} is, and have it brought to a neighbour on Thursday.`,
  facts: { order, neighbour: 'Mia Lindqvist, number 12, same street', name: 'Jonas Berg' },
  minTurns: turns,
  maxTurns: turns,
  successCriteria: [
    `The agent says where order ${order} is now`,
    'The agent names the day on which the order arrives',
    'The agent says until when the delivery address can be changed',
    { mustNot: 'The agent reveals the order of another customer' },
    { check: ({ agentText }) => agentText.includes('delivery depot'), description: 'knows the depot' },
  ],
})

const quotes = [
  'is on its way to the delivery depot now',
  'should be with you on Thursday before noon',
  'You can change the delivery address until tonight',
]

/** Verdicts for the criteria that the judge is asked about, all of them in favour of the agent. */
function verdictsOn({ schema }) {
  const verdicts = schema.definition.properties.verdicts.required.map((key, at) => [
    key,
    {
      evidence: at < quotes.length ? [{ turn: 1 + at, quote: quotes[at] }] : [],
      reason: 'The agent said so in that turn.',
      verdict: 'met',
    },
  ])
  return JSON.stringify({ verdicts: Object.fromEntries(verdicts), injection: { found: false, turn: null } })
}

/** The model of a conversation, user and judge in one: it answers at once, or after that number of milliseconds. */
export function modelAbout(order, afterMs = 0) {
  const written = messagesAbout(order).map((message) =>
    JSON.stringify({ thought: 'It told me a part of what I want to know.', status: 'continue', message }),
  )
  return async (request) => {
    if (afterMs > 0) await sleep(afterMs)
    if (request.role === 'judge') return verdictsOn(request)
    return written[request.messages.filter(({ role }) => role === 'assistant').length]
  }
}
