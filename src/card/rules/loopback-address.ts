import { cameFrom, cardAddresses, cardSource } from '../addresses.ts'
import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { show } from '../values.ts'

export const loopbackAddress: Rule = {
  id: 'card/loopback-address',
  levels: everywhere('warning'),
  summary:
    'No address is a loopback address (localhost, 127.0.0.1, ::1), unless the card came from there as well.',
  fix: 'Configure the public URL in the server, and put it into the card.',
  source: 'expect-a2a endpoint rule',
  check(card, report, context) {
    const source = cardSource(context)
    if (source?.host === 'loopback' || context.served === true) return
    for (const { path, value, host } of cardAddresses(card)) {
      if (host !== 'loopback') continue
      const why =
        source === undefined
          ? 'only clients on the same machine can call it'
          : `its path is called at ${source.origin} instead`
      report(path, `${path} is ${show(value)}${cameFrom(source)}, a loopback address: ${why}`)
    }
  },
}
