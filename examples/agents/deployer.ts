import { bearer10 } from './auth.ts'
import { speak10 } from './dialect10.ts'
import { signCard, type CardKey } from './sign.ts'
import type { Respond, Step } from './task.ts'
import { serve, type DemoAgent, type DemoOptions, type Handler, type Json } from './wire.ts'

/** Options of the deployer agent. */
export interface DeployerOptions extends DemoOptions {
  /** Bearer token that every call needs, except for the card and the approval. Default `dpl_test_7c1e4b`. */
  token?: string
  /**
   * The origin that the card and the approval's address name. Default: where the agent really is. The signature that the card
   * comes with was made for `http://localhost:41243`.
   */
  origin?: string
  /** Signs the card with this key (ES256, its id as `kid`) instead of the built-in signature. */
  signWith?: CardKey
}

/** An A2A 1.0 agent that deploys a build once an operator approved it, by `POST /approve/{taskId}`: outside A2A. */
export function startDeployer(options: DeployerOptions = {}): Promise<DemoAgent> {
  const { token = 'dpl_test_7c1e4b', signWith } = options
  return serve((url) => {
    const origin = options.origin ?? url
    const plain = deployerCard(origin)
    const card = signWith ? signCard(plain, signWith) : { ...plain, signatures: [ownSignature] }
    const approvals = createApprovals()
    const speak = speak10(deploy(origin, approvals), options, { token, extendedCard: extendedCard(plain) })
    return {
      card,
      handle(served, own) {
        const handle = speak(served, own)
        return (request) => approve(approvals, request) ?? handle(request)
      },
    }
  }, options)
}

function deployerCard(origin: string): Json {
  return {
    name: 'deployer',
    description: 'Deploys a tagged build to staging after an operator approves it.',
    supportedInterfaces: [
      { url: `${origin}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${origin}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    provider: { url: 'https://deploy.example.com', organization: 'Platform Team' },
    version: '1.4.1',
    capabilities: { streaming: true, extendedAgentCard: true },
    ...bearer10,
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'deploy',
        name: 'Deploy a build',
        description: 'Deploy one tagged build to staging, with operator approval.',
        tags: ['deploy', 'staging'],
        examples: ['Deploy build 2026.10.06-1 to staging'],
      },
    ],
  }
}

const ownSignature: Json = {
  protected: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpPU0UiLCJraWQiOiJkZXBsb3llci1rZXktMSJ9',
  signature: 'yPk834ji_dOVmxElhzV3yTYBT9NVp8Bx1j5K0LQmOww',
}

/** A second skill, for authenticated callers only. */
function extendedCard(card: Json): Json {
  const rollBack = {
    id: 'roll-back',
    name: 'Roll back a build',
    description: 'Put the build that ran before back on staging, with operator approval.',
    tags: ['deploy', 'staging'],
  }
  return { ...card, skills: [...(card['skills'] as Json[]), rollBack] }
}

/** Tasks that wait for an operator. */
interface Approvals {
  wait(taskId: string, signal: AbortSignal): Promise<void>
  /** False when no such task waits. */
  give(taskId: string): boolean
}

function createApprovals(): Approvals {
  const waiting = new Map<string, () => void>()
  return {
    wait: (taskId, signal) =>
      new Promise((resolve) => {
        waiting.set(taskId, resolve)
        signal.addEventListener('abort', () => {
          if (waiting.get(taskId) === resolve) waiting.delete(taskId)
        })
      }),
    give(taskId) {
      waiting.get(taskId)?.()
      return waiting.delete(taskId)
    },
  }
}

function approve(approvals: Approvals, request: Parameters<Handler>[0]): ReturnType<Handler> {
  const taskId = /^\/approve\/([^/]+)$/.exec(request.path)?.[1]
  if (taskId === undefined) return undefined
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  if (approvals.give(taskId)) return { json: { approved: true, taskId } }
  return { status: 404, json: { error: `No deploy ${taskId} waits for approval` } }
}

function deploy(origin: string, approvals: Approvals): Respond {
  return ({ said, taskId, signal }) => {
    const build = /\bbuild (\S+)/i.exec(said.join(' '))?.[1]
    if (build === undefined) {
      return 'I deploy one tagged build to staging, after an operator approves it. Name the build.'
    }
    return rollOut(build, `${origin}/approve/${taskId}`, approvals.wait(taskId, signal))
  }
}

async function* rollOut(build: string, address: string, approved: Promise<void>): AsyncIterable<Step> {
  yield { state: 'working', text: `Preparing build ${build} for staging` }
  yield { state: 'auth-required', text: `An operator must approve this deploy at ${address}` }
  await approved
  yield { state: 'working', text: 'Approved by an operator. Rolling out to staging' }
  const report = {
    environment: 'staging',
    build,
    url: 'https://staging.example.com',
    healthChecks: '3 of 3 passing',
  }
  yield {
    artifact: {
      artifactId: 'deploy-report',
      name: 'deploy-report.json',
      parts: [{ data: report, mediaType: 'application/json' }],
    },
  }
  yield { state: 'completed', text: `Build ${build} is live on staging` }
}
