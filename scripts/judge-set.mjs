// Judges the labelled conversations in tests/judge-set with the model of A2A_JUDGE_MODEL, and prints how often it agrees with the labels.
// Without a model it says so and prints no figures. The name of a theme as argument limits it to that theme.
import { fileURLToPath } from 'node:url'
import { createServer, createServerModuleRunner } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const model = process.env.A2A_JUDGE_MODEL?.trim() ?? ''
const [theme] = process.argv.slice(2)

if (model === '') {
  console.log(
    'skipped: no judge model is configured. Set A2A_JUDGE_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL, to measure one.',
  )
} else {
  process.exitCode = await measure()
}

async function measure() {
  // From the sources: no build can be stale.
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  const runner = createServerModuleRunner(server.environments.ssr, { hmr: false })
  try {
    return await measureBy(
      await runner.import(`${root}src/judge/calibrate.ts`),
      await runner.import(`${root}tests/judge-set/load.ts`),
    )
  } finally {
    await runner.close()
    await server.close()
  }
}

async function measureBy({ calibrateJudge }, { loadJudgeSet }) {
  const all = await loadJudgeSet(`${root}tests/judge-set`)
  const conversations = all.filter(({ group }) => theme === undefined || group === theme)
  if (conversations.length === 0) {
    console.error(`no theme is called "${theme}".`)
    return 1
  }
  let result
  try {
    result = await calibrateJudge(
      conversations.map(({ quotes: _quotes, ...conversation }) => conversation),
      { cassette: 'off' },
    )
  } catch (error) {
    console.error(`no figures: ${error.message}${error.fix ? ` ${error.fix}` : ''}`)
    return 1
  }
  print(conversations, result)
  return 0
}

function print(conversations, result) {
  const { groups, disagreements, failed, usage, replay } = result
  console.log(`judge ${result.model}, prompt ${result.promptVersion}: ${conversations.length} conversations`)
  console.log(`\n${row('theme', 'criteria', 'agree', 'kappa')}`)
  for (const [theme, figures] of Object.entries(groups)) console.log(rowOf(theme, figures))
  console.log(rowOf('all', result))
  console.log(`\nlabel \\ judge   met  not_met  unknown`)
  for (const label of ['met', 'not_met', 'unknown']) {
    const { met, not_met: notMet, unknown } = result.confusion[label]
    console.log(
      `${label.padEnd(13)}${String(met).padStart(6)}${String(notMet).padStart(9)}${String(unknown).padStart(9)}`,
    )
  }
  if (disagreements.length > 0) console.log('\nDisagreements:')
  for (const { group, conversation, text, label, verdict, reason } of disagreements) {
    console.log(`- ${group}, ${conversation}: ${text}\n  label ${label}, judge ${verdict}: ${reason}`)
  }
  if (failed.length > 0) console.log('\nWithout a usable answer, and not counted:')
  for (const { conversation, message } of failed) console.log(`- ${conversation}: ${message}`)
  const { inputTokens, outputTokens } = usage.judge ?? {}
  const tokens = inputTokens === undefined ? 'tokens not reported' : `${inputTokens} + ${outputTokens} tokens`
  console.log(`\n${replay.live} calls, ${tokens}`)
}

function rowOf(theme, { n, agreement, kappa }) {
  return row(
    theme,
    String(n),
    agreement === undefined ? '-' : agreement.toFixed(2),
    kappa === undefined ? '-' : kappa.toFixed(2),
  )
}

function row(theme, ...cells) {
  return `${theme.padEnd(24)}${cells.map((cell) => cell.padStart(10)).join('')}`
}
