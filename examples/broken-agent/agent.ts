import { faults, startHelpdesk, type DemoAgent } from 'expect-a2a/testing'

/**
 * The helpdesk with one fault, as it is seen in the field: its card names a path instead of an address, so nobody who reads
 * the card can call it. Fix it by taking the fault out, and the demo turns red: it expects to see this agent fail.
 */
export function startBrokenAgent(): Promise<DemoAgent> {
  return startHelpdesk({
    fault: [faults.card('name', 'Broken helpdesk'), faults.card('url', '/a2a')],
  })
}

/** The helpdesk that refunds, but never says when the money arrives. Its card and its answers are without fault; its conversation is not. */
export function startVagueAgent(): Promise<DemoAgent> {
  return startHelpdesk({ fault: faults.card('name', 'Vague helpdesk'), timeline: false })
}
