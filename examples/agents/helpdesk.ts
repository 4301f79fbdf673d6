import { speak03 } from './dialect03.ts'
import type { Respond, Step } from './task.ts'
import { serve, type DemoAgent, type DemoOptions, type Json } from './wire.ts'

/** Options of the helpdesk agent. */
export interface HelpdeskOptions extends DemoOptions {
  /** Say when the money will arrive. Default true; false makes an agent that never gives a timeline. */
  timeline?: boolean
}

/** An A2A 0.3 agent that refunds a double charge; it asks for the order number if it is missing. */
export function startHelpdesk(options: HelpdeskOptions = {}): Promise<DemoAgent> {
  const respond = refunds(options.timeline ?? true)
  return serve((url) => ({ card: helpdeskCard(url), handle: speak03(respond, options) }), options)
}

function helpdeskCard(url: string): Json {
  return {
    protocolVersion: '0.3.0',
    name: 'Helpdesk',
    description: 'Looks into double charges and refunds them.',
    url: `${url}/a2a`,
    preferredTransport: 'JSONRPC',
    provider: { organization: 'Example Shop', url: 'https://shop.example.com' },
    version: '1.4.0',
    capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'refund',
        name: 'Refund a charge',
        description: 'Refund a charge that was made twice for the same order.',
        tags: ['billing', 'refunds'],
        examples: ['I was charged twice for order #4411. Can one of them be refunded?'],
      },
    ],
  }
}

function refunds(timeline: boolean): Respond {
  return ({ said, text }) => {
    if (/\b(when|how long)\b/i.test(text) && said.length === 1) {
      return timeline
        ? 'A refund arrives within 5 to 7 business days.'
        : 'I cannot say when a refund arrives.'
    }
    const request = said.join(' ')
    if (!/\b(charged?|refund(ed|s)?|twice|double)\b/i.test(request)) {
      return 'I look into double charges and refund them. Tell me what happened and your order number.'
    }
    const order = /#?\b(\d{3,})\b/.exec(request)?.[1]
    return order === undefined
      ? [{ state: 'input-required', text: 'I can refund that. What is your order number?' }]
      : refund(order, timeline)
  }
}

function* refund(order: string, timeline: boolean): Iterable<Step> {
  yield { state: 'working', text: `Looking up order #${order}` }
  const confirmed = `One of the two charges for order #${order} has been refunded.`
  yield {
    artifact: {
      artifactId: 'refund',
      name: 'refund',
      parts: [
        { text: timeline ? `${confirmed} The money arrives within 5 to 7 business days.` : confirmed },
        { data: { order, refunded: true, ...(timeline && { businessDays: [5, 7] }) } },
      ],
    },
  }
  yield { state: 'completed' }
}
