/**
 * Agents to test against: healthy demo agents of three A2A versions, and a tool to build faulty ones. Plain Node, no test
 * runner, no dependency.
 */
export { startTestRunner } from '../../examples/agents/testRunner.ts'
export { startCodeReviewer } from '../../examples/agents/codeReviewer.ts'
export { startDeployer, type DeployerOptions } from '../../examples/agents/deployer.ts'
export { startHelpdesk, type HelpdeskOptions } from '../../examples/agents/helpdesk.ts'
export { startStudio, type StudioOptions } from '../../examples/agents/studio.ts'
export { startAgentFrom, startRestAgent, type AgentFromOptions } from '../../examples/agents/agentFrom.ts'
export { startSlowAgent, type SlowAgent } from '../../examples/agents/slowAgent.ts'
export { faults, type FaultPresets } from '../../examples/agents/faults.ts'
export type { AccessFaults } from '../../examples/agents/accessFaults.ts'
export type { StreamFaults } from '../../examples/agents/streamFaults.ts'
export type { CardKey } from '../../examples/agents/sign.ts'
export type { Delivery } from '../../examples/agents/push.ts'
export type {
  ArtifactStep,
  DemoArtifact,
  DemoPart,
  DemoState,
  Respond,
  Step,
  Turn,
} from '../../examples/agents/task.ts'
export type {
  DemoAgent,
  DemoOptions,
  Fault,
  Json,
  WireReply,
  WireRequest,
} from '../../examples/agents/wire.ts'
export { signCard, type CardSignature, type SignCardOptions } from './signCard.ts'
