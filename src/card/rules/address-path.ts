import { cardAddresses } from '../addresses.ts'
import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { show } from '../values.ts'

const cardPath = /\/\.well-known\/agent(?:-card)?\.json$/
/** The paths that HTTP+JSON appends to the address of an interface. */
const operationPath = /\/(?:message:(?:send|stream)|tasks\/[^/]+:(?:cancel|subscribe)|extendedAgentCard)$/

export const addressPath: Rule = {
  id: 'card/address-path',
  levels: everywhere('warning'),
  summary: 'No address is the URL of the card itself, or of a single operation such as `/message:send`.',
  fix: 'Write the base address of the interface; clients append the path of an operation.',
  source: 'A2A 0.1 §5.5; A2A 0.2 §5.5; A2A 0.3 §5.5, §11.3; A2A 1.0 §4.4.6, §11.3',
  check(card, report) {
    for (const { path, value, url } of cardAddresses(card)) {
      if (cardPath.test(url.pathname)) {
        report(path, `${path} is ${show(value)}, the address of an agent card and not of an interface`)
      } else if (operationPath.test(url.pathname)) {
        report(path, `${path} is ${show(value)}, the address of one operation and not of the interface`)
      }
    }
  },
}
