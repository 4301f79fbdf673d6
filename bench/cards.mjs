// How many cards are judged in a second of one core: every card of the corpus, all rules on.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { cpuSince, median, middleHalf, ratios, report } from './figures.mjs'

const aim = 9_000
const warmUpMs = 1_000
const measureMs = 3_000
/** How often each text is parsed for one judgement; parsing it once would be too quick to time. */
const parses = 20

const { checkAgentCard } = await import(pathToFileURL(process.argv[2]).href)

const folder = fileURLToPath(new URL('../tests/fixtures/cards/', import.meta.url))
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
const cards = texts.map((text) => JSON.parse(text))

// With the place and the headers known, the rules about those run too.
const context = {
  typedUrl: 'https://agent.example.com',
  cardUrl: 'https://agent.example.com/.well-known/agent-card.json',
  response: { mediaType: 'application/json', headers: { 'content-type': 'application/json' } },
}

let findings = 0
const judged = []
const parsed = []
const begun = performance.now()
while (performance.now() - begun < warmUpMs + measureMs) {
  const counts = performance.now() - begun > warmUpMs
  const judging = process.cpuUsage()
  findings = 0
  for (const card of cards) findings += checkAgentCard(card, context).findings.length
  const judgingTook = cpuSince(judging)
  const parsing = process.cpuUsage()
  for (let time = 0; time < parses; time++) for (const text of texts) JSON.parse(text)
  const parsingTook = cpuSince(parsing)
  if (counts) {
    judged.push(judgingTook / cards.length)
    parsed.push(parsingTook / cards.length / parses)
  }
}

const perSecond = judged.map((micros) => 1e6 / micros)
report(
  '(2) cards judged',
  `${median(perSecond).toFixed(0)} a second of one core (middle half ${middleHalf(perSecond, 0)}; ${cards.length} cards with ` +
    `${findings} findings, ${judged.length} rounds), ${median(ratios(judged, parsed)).toFixed(1)}x the time of parsing their JSON`,
  `>= ${aim}`,
  median(perSecond) >= aim,
  `one card takes ${median(judged).toFixed(0)} µs; profile it as bench/README.md says`,
)
