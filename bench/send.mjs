// What a send costs: the least that a client must do with undici, this package and the official SDK send the same message to the same agent in turns.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as sdk03 from 'a2a-sdk-0.3/client'
import * as sdk10 from 'a2a-sdk-1/client'
import { Agent, request } from 'undici'
import { installedVersion } from '../scripts/consumer.mjs'
import { cpuSince, differences, median, middleHalf, ratios, report } from './figures.mjs'

const aim = 1.2
const aimSdk = 0.65
const timeoutMs = 60_000
const warmUpMs = 2_500
const measureMs = 6_000
const sendsInTurn = 25
const said = 'Where is order 17?'

const { a2aAgent } = await import(pathToFileURL(process.argv[2]).href)

const sdks = {
  0.3: {
    name: `SDK ${installedVersion('a2a-sdk-0.3')}`,
    connect: (url) => new sdk03.ClientFactory().createFromUrl(url),
    params: () => ({
      message: {
        kind: 'message',
        messageId: randomUUID(),
        role: 'user',
        parts: [{ kind: 'text', text: said }],
      },
    }),
  },
  '1.0': {
    name: `SDK ${installedVersion('a2a-sdk-1')}`,
    connect: (url) => new sdk10.ClientFactory().createFromUrl(url),
    params: () => ({
      tenant: '',
      message: {
        messageId: randomUUID(),
        contextId: '',
        taskId: '',
        role: 1,
        parts: [{ content: { $case: 'text', value: said } }],
        extensions: [],
        referenceTaskIds: [],
      },
    }),
  },
}

/** The three ways to send, each ready to go: the card is known, a connection is open. */
async function ways(version, url) {
  const agent = a2aAgent(url)
  const { text } = await agent.send(said)
  // The log drops old bodies, so what is to be sent again must be taken now.
  const { url: endpoint, requestHeaders: headers, requestBody: body } = agent.exchanges.at(-1)
  const dispatcher = new Agent()
  const { connect, params } = sdks[version]
  const client = await connect(url)
  const raw = async () => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), timeoutMs)
    try {
      const { statusCode, body: answer } = await request(endpoint, {
        dispatcher,
        method: 'POST',
        headers,
        body,
        signal: stop.signal,
      })
      const envelope = await answer.json()
      if (statusCode !== 200 || envelope.jsonrpc !== '2.0' || envelope.result === undefined)
        throw new Error(`HTTP ${statusCode}`)
      return envelope
    } finally {
      clearTimeout(timer)
    }
  }
  const sdk = () => client.sendMessage(params())
  for (const answer of [await raw(), await sdk()]) {
    if (!JSON.stringify(answer).includes(text.slice(0, 40))) throw new Error('the answers differ')
  }
  return {
    raw,
    ours: () => agent.send(said),
    sdk,
    close: () => Promise.all([agent.close(), dispatcher.close()]),
  }
}

/** Microseconds for one send, by way and round: of the clock, and of this process' CPU. Who goes first changes from round to round. */
async function measure(sends, forMs) {
  const names = Object.keys(sends)
  const taken = Object.fromEntries(names.map((name) => [name, { clock: [], cpu: [] }]))
  const begun = performance.now()
  for (let round = 0; performance.now() - begun < forMs; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      const cpu = process.cpuUsage()
      const started = performance.now()
      for (let sent = 0; sent < sendsInTurn; sent++) await sends[name]()
      taken[name].clock.push(((performance.now() - started) * 1_000) / sendsInTurn)
      taken[name].cpu.push(cpuSince(cpu) / sendsInTurn)
    }
  }
  return taken
}

const agents = fork(fileURLToPath(new URL('agent.mjs', import.meta.url)))
const urls = await new Promise((resolve) => agents.once('message', resolve))
const versions = Object.keys(sdks)
const ready = new Map()
for (const version of versions) ready.set(version, await ways(version, urls[version]))
// Both before either is measured: they share most of the code that has to become warm.
for (const { close: _, ...sends } of ready.values()) await measure(sends, warmUpMs)
for (const version of versions) {
  const { close, ...sends } = ready.get(version)
  const { raw, ours, sdk } = await measure(sends, measureMs)
  await close()
  const toRaw = ratios(ours.clock, raw.clock)
  const ratio = median(toRaw)
  const added = median(differences(ours.cpu, raw.cpu))
  const toSdk = median(ratios(ours.clock, sdk.clock))
  report(
    `(1) send + reply, A2A ${version}`,
    `${ratio.toFixed(2)}x the floor (middle half ${middleHalf(toRaw, 2)}; ${median(ours.clock).toFixed(0)} against ` +
      `${median(raw.clock).toFixed(0)} µs, ${toRaw.length} rounds), ${toSdk.toFixed(2)}x ` +
      `${sdks[version].name}, which is itself ${median(ratios(sdk.clock, raw.clock)).toFixed(2)}x the floor`,
    `<= ${aim}x the floor, <= ${aimSdk}x the SDK`,
    ratio <= aim && toSdk <= aimSdk,
    `a send adds ${added.toFixed(0)} µs of CPU to the floor: encoding, the policy and the user's headers, the log of exchanges, reading ` +
      'and findings, and the async functions between them in client/, which could be fewer',
  )
}
agents.disconnect()
