/**
 * Agents to test against: healthy demo agents of three A2A versions, and a tool to build faulty ones. Plain Node, no test
 * runner, no dependency.
 */
export { startTestRunner } from '../../examples/agents/testRunner.ts'
export { startCodeReviewer } from '../../examples/agents/codeReviewer.ts'
export { startHelpdesk, type HelpdeskOptions } from '../../examples/agents/helpdesk.ts'
export { startStudio, type StudioOptions } from '../../examples/agents/studio.ts'
export { startAgentFrom, type AgentFromOptions } from '../../examples/agents/agentFrom.ts'
export { faults, type FaultPresets } from '../../examples/agents/faults.ts'
export type { DemoArtifact, DemoPart, DemoState, Respond, Step, Turn } from '../../examples/agents/engine.ts'
export type {
  DemoAgent,
  DemoOptions,
  Fault,
  Json,
  WireReply,
  WireRequest,
} from '../../examples/agents/wire.ts'
