// What `npm run demo` prints, apart from the running: plain data in, text out.

/** The specs of the agents that are broken on purpose, and the finding that each fault must cause; a criterion is named by its id. */
const broken = [
  { file: 'broken-agent/broken-agent.spec.ts', finding: 'card/url' },
  { file: 'broken-agent/vague-agent.spec.ts', finding: 'criterion/not-met timeline' },
]
const isBroken = (test) => broken.some(({ file }) => file === test.file)
/** A skipped test must give its reason; without one it counts as failed. */
const isSkipped = (test) => test.state === 'skipped' && Boolean(test.note)

/** Green when every healthy agent passed and the broken ones failed with their own findings; else says why not. */
export function judge({ tests, troubles }) {
  const reasons = [...troubles]
  const healthy = tests.filter((test) => !isBroken(test))
  if (healthy.length === 0) reasons.push('No example spec ran.')
  for (const test of healthy) {
    if (test.state !== 'passed' && !isSkipped(test))
      reasons.push(`${test.file} › ${test.title}: ${test.state}, but this agent is healthy.`)
  }
  for (const { file, finding } of broken) {
    const failing = tests.filter((test) => test.file === file)
    if (failing.length === 0) reasons.push(`${file} did not run.`)
    for (const test of failing) {
      const found = test.records.flatMap(findingsOf).map(({ id }) => id)
      if (test.state !== 'failed') {
        reasons.push(
          `${file} › ${test.title}: ${test.state}, but this agent is broken on purpose and must fail.`,
        )
      } else if (!found.includes(finding)) {
        reasons.push(
          `${file} › ${test.title}: failed, but not with ${finding}; it found ${found.join(', ') || 'nothing'}.`,
        )
      }
    }
  }
  return { green: reasons.length === 0, reasons }
}

/** The whole report. `endpoint` is where models are asked, undefined where none can be. */
export function printDemo({ tests, seconds, endpoint }, { green, reasons }, { colour }) {
  const paint = painter(colour)
  const rows = toRows([...tests.filter((test) => !isBroken(test)), ...tests.filter((test) => isBroken(test))])
  const lines = [
    '',
    paint.bold('The example specs, run against agents on this machine'),
    '',
    ...table(rows, paint),
  ]

  const skipped = tests.filter(isSkipped)
  for (const test of skipped)
    lines.push(`  ${paint.bold('SKIPPED')}  ${test.file} › ${test.title}: ${test.note}`)
  lines.push('')

  const failures = tests.filter((test) => isBroken(test) && test.state === 'failed')
  for (const { messages } of failures) {
    lines.push(paint.bold('Broken on purpose. This is what its test prints:'), '')
    for (const message of messages) lines.push(...indent(colour ? message : plain(message)), '')
  }
  for (const test of tests) {
    if (isBroken(test) || test.state === 'passed' || isSkipped(test)) continue
    lines.push(paint.red(`${test.file} › ${test.title}`), '')
    for (const message of test.messages) lines.push(...indent(colour ? message : plain(message)), '')
  }

  const agents = new Set(rows.map((row) => row.agent)).size
  const checks = rows.reduce((sum, row) => sum + row.times, 0)
  const failed = rows.reduce((sum, row) => sum + (row.ok ? 0 : row.times), 0)
  const left =
    skipped.length === 0 ? '' : `, ${skipped.length} ${skipped.length === 1 ? 'test' : 'tests'} skipped`
  const count = `${agents} agents, ${checks} checks, ${failed} failed`
  const time = `${seconds.toFixed(1)} s`
  if (green) lines.push(paint.green(`✓ ${count} as expected${left}, ${time}. ${whatLeft(tests, endpoint)}`))
  else {
    lines.push(paint.red(`✗ ${count}${left}, ${time}. Not as expected:`))
    for (const reason of reasons) lines.push(`  ${reason}`)
  }
  return `${lines.join('\n')}\n`
}

/** Whether anything went to a model, and where that is. */
function whatLeft(tests, endpoint) {
  if (endpoint === undefined) return 'No API key needed; nothing left this machine.'
  const conversations = tests
    .flatMap((test) => test.records)
    .flatMap(({ conversation }) => conversation ?? [])
    .filter(({ replay }) => replay.live > 0)
  const models = [...new Set(conversations.flatMap((conversation) => Object.values(conversation.models)))]
  if (models.length === 0) return 'No model was asked, nothing left this machine.'
  const { host, hostname } = new URL(endpoint)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return `Asked ${models.join(' and ')} at ${host}; nothing${isHere ? '' : ' else'} left this machine.`
}

/** The findings of a record; of a criterion, with its id. */
function findingsOf({ findings, conversation }) {
  const isCriterion = ({ id }) => id.startsWith('criterion/')
  const ids = { met: [], not_met: ['not-met'], unknown: ['undecided'] }
  const criteria = (conversation?.criteria ?? []).flatMap(({ id, kind, verdict }) =>
    ids[verdict].map((name) => ({
      id: `criterion/${kind === 'mustNot' && verdict === 'not_met' ? 'broken' : name} ${id}`,
      level: verdict === 'unknown' ? 'warning' : 'error',
    })),
  )
  return [...criteria, ...findings.filter((finding) => !isCriterion(finding))]
}

/** One row a check of an agent; the same check with the same result several times is one row. */
function toRows(tests) {
  const rows = []
  for (const record of tests.flatMap((test) => test.records)) {
    const check = record.negated ? `not.${record.matcher}` : record.matcher
    // A negated check passes when the check itself fails; the other outcomes are never inverted.
    const ok = record.outcome === (record.negated ? 'failed' : 'passed')
    const decided = record.outcome === 'passed' || record.outcome === 'failed'
    const row = {
      agent: record.agent.replace(/ \(https?:.*\)$/, ''),
      check,
      outcome: decided ? (ok ? 'passed' : 'failed') : record.outcome,
      ok,
      findings: summary(findingsOf(record)),
      times: 1,
    }
    const same = rows.find((one) =>
      ['agent', 'check', 'outcome', 'findings'].every((key) => one[key] === row[key]),
    )
    if (same) same.times += 1
    else rows.push(row)
  }
  const order = [...new Set(rows.map((row) => row.agent))]
  return rows.sort((a, b) => order.indexOf(a.agent) - order.indexOf(b.agent))
}

function summary(findings) {
  const ids = (level) => findings.filter((finding) => finding.level === level).map((finding) => finding.id)
  return ['error', 'warning']
    .filter((level) => ids(level).length > 0)
    .map((level) => `${level} ${[...new Set(ids(level))].join(', ')}`)
    .join('; ')
}

function table(rows, paint) {
  const cells = rows.map((row, at) => ({
    ...row,
    first: row.agent !== rows[at - 1]?.agent,
    check: row.times > 1 ? `${row.check} ×${row.times}` : row.check,
  }))
  const head = { agent: 'Agent', check: 'Check', outcome: 'Outcome', findings: 'Findings' }
  const width = (key) => Math.max(...[head, ...cells].map((row) => row[key].length))
  const pad = (row, key) => row[key].padEnd(width(key))
  const total = ['agent', 'check', 'outcome', 'findings'].reduce((sum, key) => sum + width(key) + 2, 0)
  const rule = `  ${paint.dim('─'.repeat(Math.min(total, 108)))}`

  const lines = [
    paint.bold(`  ${pad(head, 'agent')}  ${pad(head, 'check')}    ${pad(head, 'outcome')}  ${head.findings}`),
  ]
  for (const row of cells) {
    if (row.first) lines.push(rule)
    const agent = row.first ? paint.bold(pad(row, 'agent')) : ' '.repeat(width('agent'))
    const sign = row.ok ? paint.green('✓') : paint.red('✗')
    const outcome = row.outcome === 'passed' ? pad(row, 'outcome') : paint.bold(pad(row, 'outcome'))
    lines.push(`  ${agent}  ${pad(row, 'check')}  ${sign} ${outcome}  ${paint.dim(row.findings)}`.trimEnd())
  }
  return [...lines, rule]
}

function indent(text) {
  return text.split('\n').map((line) => (line === '' ? '' : `    ${line}`))
}

function plain(text) {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001B\[[\d;]*m/g, '')
}

function painter(colour) {
  const code = (open, close) => (text) => (colour ? `\u001B[${open}m${text}\u001B[${close}m` : text)
  return { bold: code(1, 22), dim: code(2, 22), red: code(31, 39), green: code(32, 39) }
}
