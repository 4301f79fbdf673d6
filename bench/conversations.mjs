// What a conversation costs in addition to its agent and models: the loop, the guards, the judge's prompt and evidence; and many conversations at once.
import { fork } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { remove, scratch } from '../scripts/consumer.mjs'
import { cpuSince, differences, median, middleHalf, ratios, report } from './figures.mjs'
import { messagesAbout, modelAbout, conversationAbout, turns } from './conversationModels.mjs'

const entry = process.argv[2]
const { a2aAgent, configureA2A, scriptedModel } = await import(pathToFileURL(entry).href)
const { expect } = await import(pathToFileURL(join(dirname(entry), 'expect.js')).href)

const aimMs = 2
const aimTogether = 1.1
const warmUpMs = 5_000
const measureMs = 10_000
const leastRounds = 40
const together = 50
const agentMs = 40
const modelMs = 40
const rounds = 5

const files = scratch('conversations')
// A developer's environment must not choose what is measured.
for (const name of ['A2A_CASSETTES', 'A2A_JUDGE_MODEL', 'A2A_SIMULATOR_MODEL', 'CI']) delete process.env[name]

function startAgent(afterMs) {
  const desk = fork(fileURLToPath(new URL('conversationAgent.mjs', import.meta.url)), [String(afterMs)])
  return new Promise((resolve) => desk.once('message', (url) => resolve({ desk, agent: a2aAgent(url) })))
}

let orders = 1_000
const nextOrder = () => String(++orders)

/** Runs a conversation about an order. Throws if it does not pass. */
async function hold(agent, order, model, more = {}) {
  const options = { ...conversationAbout(order), simulator: { model }, judge: { model }, ...more }
  await expect(agent).toPassConversation(options)
}

/** The ways to say eight things to an agent: alone, as a conversation, and as a conversation with all that may come with it. */
async function ways(agent) {
  const tape = (mode) => ({ name: 'tape', cassette: { mode, folder: files, file: 'tape.json' } })
  const taped = nextOrder()
  await hold(agent, taped, scriptedModel(modelAbout(taped)), tape('record'))
  return {
    async sends() {
      let after
      for (const message of messagesAbout(nextOrder())) after = await agent.send(message, { after })
    },
    async conversation(order = nextOrder()) {
      await hold(agent, order, scriptedModel(modelAbout(order)))
    },
    async written(order = nextOrder()) {
      configureA2A({ folder: files })
      await hold(agent, order, scriptedModel(modelAbout(order)), { name: 'written' })
      configureA2A({ folder: false })
    },
    async played() {
      await hold(agent, taped, scriptedModel([]), tape('replay'))
    },
    // A function counts as a real model, so its calls wait for their turn at the limiter.
    async limited(order = nextOrder()) {
      await hold(agent, order, modelAbout(order))
    },
  }
}

/** Milliseconds for one turn, by way and round: of the clock, and of this process' CPU. Who goes first changes from round to round. */
async function measure(all, forMs) {
  const names = Object.keys(all)
  const taken = Object.fromEntries(names.map((name) => [name, { clock: [], cpu: [] }]))
  const begun = performance.now()
  for (let round = 0; round < leastRounds || performance.now() - begun < forMs; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      const cpu = process.cpuUsage()
      const started = performance.now()
      await all[name]()
      taken[name].clock.push((performance.now() - started) / turns)
      taken[name].cpu.push(cpuSince(cpu) / 1_000 / turns)
    }
  }
  return taken
}

/**
 * Milliseconds of the longest conversation alone and of all of them, each of which takes a little less or as long, and of this process' CPU for all;
 * and of as many bare loops that wait and send as often.
 */
async function sideBySide(agent, modelOf) {
  const conversationOf = (afterMs, order = nextOrder()) => hold(agent, order, modelOf(order, afterMs))
  const bare = async (afterMs, order = nextOrder()) => {
    let after
    for (const message of messagesAbout(order)) {
      await sleep(afterMs)
      after = await agent.send(message, { after })
    }
    await sleep(afterMs)
  }
  const many = (one) => Promise.all(Array.from({ length: together }, (_, at) => one(modelMs - (at % 4))))
  const taken = { alone: [], all: [], bare: [], cpu: [] }
  const sets = {
    alone: () => conversationOf(modelMs),
    all: () => many(conversationOf),
    bare: () => many(bare),
  }
  const names = Object.keys(sets)
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const cpu = process.cpuUsage()
      const started = performance.now()
      await sets[name]()
      taken[name].push(performance.now() - started)
      if (name === 'all') taken.cpu.push(cpuSince(cpu) / 1_000)
    }
  }
  return taken
}

configureA2A({ folder: false, concurrency: together })
const quick = await startAgent(0)
const slow = await startAgent(agentMs)
try {
  const all = await ways(quick.agent)
  await measure(all, warmUpMs)
  const { sends, conversation, written, played, limited } = await measure(all, measureMs)
  const added = (way) => median(differences(way.clock, sends.clock))
  const addedCpu = (way) => median(differences(way.cpu, sends.cpu))
  const toSends = ratios(conversation.clock, sends.clock)
  report(
    '(8) a conversation, compared with its agent and models',
    `adds ${added(conversation).toFixed(2)} ms a turn to its sends alone (middle half ${middleHalf(differences(conversation.clock, sends.clock), 2)}; ` +
      `${conversation.clock.length} rounds), ${addedCpu(conversation).toFixed(2)} ms of CPU; ${median(conversation.clock).toFixed(2)} against ` +
      `${median(sends.clock).toFixed(2)} ms, ${median(toSends).toFixed(2)}x, with an agent that does nothing, and at most 1.5x where agent ` +
      `and model together take ${(2 * added(conversation)).toFixed(1)} ms a turn`,
    `<= ${aimMs} ms a turn`,
    added(conversation) <= aimMs,
    addedCpu(conversation) <= aimMs
      ? `the CPU has other work: a turn takes ${addedCpu(conversation).toFixed(2)} ms of it`
      : 'prompts, guards and judging take that long; see where with a profile',
  )
  const more = {
    'written to a file': written,
    'played from a cassette': played,
    'with models in line': limited,
  }
  report(
    '(9) the same',
    Object.entries(more)
      .map(([name, way]) => `${name} ${added(way).toFixed(2)} ms (${addedCpu(way).toFixed(2)} of CPU)`)
      .join(', '),
    `<= ${aimMs} ms a turn each`,
    Object.values(more).every((way) => added(way) <= aimMs),
    Object.values(more).every((way) => addedCpu(way) <= aimMs)
      ? 'the CPU and the disk have other work'
      : 'files are read and written more than they need be; see where with a profile',
  )

  const scripted = await sideBySide(slow.agent, (order, ms) => scriptedModel(modelAbout(order, ms)))
  const inLine = await sideBySide(slow.agent, modelAbout)
  const toBare = ratios(scripted.all, scripted.bare)
  report(
    `(10) ${together} conversations side by side`,
    `${median(toBare).toFixed(2)}x as many bare loops of the same waits and sends (middle half ${middleHalf(toBare, 2)}; ${median(scripted.all).toFixed(0)} ` +
      `against ${median(scripted.bare).toFixed(0)} ms, ${rounds} rounds; ${median(scripted.cpu).toFixed(0)} ms of CPU), with models in line ` +
      `${median(ratios(inLine.all, inLine.alone)).toFixed(2)}x (${median(inLine.cpu).toFixed(0)} ms of CPU); one alone takes ` +
      `${median(scripted.alone).toFixed(0)} ms`,
    `<= ${aimTogether}x of the bare loops`,
    median(toBare) <= aimTogether,
    `one thread does the work of all, ${median(scripted.cpu).toFixed(0)} ms of CPU within the ${median(scripted.alone).toFixed(0)} ms that one conversation ` +
      `waits, and has ${availableParallelism()} cores at a load of ${loadavg()[0].toFixed(0)} to do it on; models that take a second leave it time`,
  )
} finally {
  for (const { desk, agent } of [quick, slow]) {
    await agent.close()
    desk.disconnect()
  }
  remove(files)
}
