import { faults, startHelpdesk, type DemoAgent } from 'expect-a2a/testing'

/**
 * The helpdesk with one fault that real agents have: its card has a path instead of an address, so other agents cannot call it.
 * If you remove the fault, the demo fails, because it expects this agent to fail.
 */
export function startBrokenAgent(): Promise<DemoAgent> {
  return startHelpdesk({
    fault: [faults.card('name', 'Broken helpdesk'), faults.card('url', '/a2a')],
  })
}

/** The helpdesk refunds, but never says when the money arrives: its card and answers are valid, its conversation is not good enough. */
export function startVagueAgent(): Promise<DemoAgent> {
  return startHelpdesk({ fault: faults.card('name', 'Vague helpdesk'), timeline: false })
}
