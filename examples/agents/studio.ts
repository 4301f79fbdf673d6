import { isObject } from './rpc.ts'
import { serve, type DemoAgent, type DemoOptions, type Handler, type Json, type WireReply } from './wire.ts'

/** Options of the studio agent. */
export interface StudioOptions extends DemoOptions {
  /** Bearer token that callers must send. Default: none, the agent is public. */
  token?: string
}

/**
 * An A2A 0.1 agent as websites build them: one endpoint, `/api/agent`, that takes `tasks/send`, returns the card on GET
 * and answers browsers' preflights. It knows four topics, and asks a question before it quotes a price.
 */
export function startStudio(options: StudioOptions = {}): Promise<DemoAgent> {
  return serve((url) => ({ card: studioCard(url, options.token), handle: studio(options.token) }), options)
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
}

function studioCard(url: string, token: string | undefined): Json {
  return {
    name: 'Studio',
    description: 'Answers questions about a software studio: its services, prices and projects',
    url: `${url}/api/agent`,
    provider: { organization: 'Example Studio', url: 'https://studio.example.com' },
    version: '1.0.0',
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
    ...(token !== undefined && { authentication: { schemes: ['bearer'] } }),
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [
      {
        id: 'get-services',
        name: 'Get Services',
        description:
          'Lists what the studio offers: AI development, web applications, mobile apps, fractional CTO',
        tags: ['services', 'capabilities', 'offerings'],
        examples: ['What services do you offer?', 'Do you build mobile apps?'],
      },
      {
        id: 'get-pricing',
        name: 'Get Pricing Information',
        description: 'Gives prices of projects, retainers and fractional partnerships',
        tags: ['pricing', 'cost', 'engagement'],
        examples: ['How much does a website cost?', 'What are your retainer options?'],
      },
      {
        id: 'get-case-studies',
        name: 'Get Case Studies',
        description: 'Describes finished projects and what came of them',
        tags: ['portfolio', 'work', 'projects'],
        examples: ['Show me your recent projects', 'Case studies in fintech'],
      },
      {
        id: 'schedule-consultation',
        name: 'Schedule Consultation',
        description: 'Starts the booking of a first call with the team',
        tags: ['booking', 'consultation', 'contact'],
        examples: ['I want to book a call', 'Schedule a consultation'],
      },
    ],
  }
}

function studio(token: string | undefined): (card: unknown) => Handler {
  /** Tasks that wait for the kind of project, by the caller's task id. */
  const quotes = new Set<unknown>()
  return (card) => (request) => {
    if (request.path === '/.well-known/agent.json' && request.method === 'GET')
      return { json: card, headers: cors }
    if (request.path !== '/api/agent') return undefined
    if (request.method === 'GET') return { json: card, headers: cors }
    if (request.method === 'OPTIONS') return { headers: cors }
    if (request.method !== 'POST') return { status: 405, headers: { ...cors, allow: 'GET, POST, OPTIONS' } }

    let body: unknown
    try {
      body = JSON.parse(request.body)
    } catch {
      return refuse(400, null, -32700, 'Parse error')
    }
    const { id = null, jsonrpc, method, params } = isObject(body) ? body : {}
    if (token !== undefined) {
      const sent = /^Bearer (.*)$/.exec(request.headers['authorization'] ?? '')?.[1]
      if (sent === undefined) return refuse(401, id, -32000, 'Authentication required')
      if (sent !== token) return refuse(403, id, -32000, 'Invalid token')
    }
    if (jsonrpc !== '2.0' || typeof method !== 'string' || !id) {
      return refuse(400, id, -32600, 'Invalid JSON-RPC 2.0 request')
    }
    if (method !== 'tasks/send') return refuse(404, id, -32601, `Method not found: ${method}`)

    const task = isObject(params) ? params : {}
    const message = isObject(task['message']) ? task['message'] : {}
    const parts = Array.isArray(message['parts']) ? message['parts'].filter(isObject) : []
    if (parts.length === 0) return refuse(400, id, -32602, 'Invalid params: message with parts is required')
    const text = parts.find((part) => part['type'] === 'text')?.['text']
    const result = answer(quotes, task['id'], typeof text === 'string' ? text : '')
    return { json: { jsonrpc: '2.0', id, result: { id: task['id'], ...result } }, headers: cors }
  }
}

function refuse(status: number, id: unknown, code: number, message: string): WireReply {
  return { status, json: { jsonrpc: '2.0', id, error: { code, message } }, headers: cors }
}

function answer(quotes: Set<unknown>, taskId: unknown, text: string): Json {
  if (quotes.delete(taskId)) {
    return completed(
      `For that we would start at $3,000. The exact price of "${text}" follows after a short call.`,
    )
  }
  if (/\bquote\b/i.test(text)) {
    quotes.add(taskId)
    return {
      status: {
        state: 'input-required',
        message: {
          role: 'agent',
          parts: [{ type: 'text', text: 'Gladly. What kind of project do you want to build?' }],
        },
      },
    }
  }
  if (/pricing|cost|price|how much|retainer/i.test(text)) {
    return completed('Simple projects start at $3,000; a monthly retainer is $2,500 to $3,000.')
  }
  if (/case stud|portfolio|project/i.test(text)) {
    return completed('Our latest projects: a booking app for clinics and a fraud alert for a fintech.')
  }
  if (/\b(book|schedule|call|consultation)\b/i.test(text)) {
    return completed('You can book a first call on any weekday between 9:00 and 17:00.')
  }
  return completed('We offer AI development, web applications, mobile apps and fractional CTO work.')
}

function completed(text: string): Json {
  return { status: { state: 'completed' }, artifacts: [{ parts: [{ type: 'text', text }] }] }
}
