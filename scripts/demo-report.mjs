// What `npm run demo` prints, apart from the running: plain data in, text out.

/** The file of the agent that is broken on purpose, and the finding that its fault must cause. */
const broken = { file: 'broken-agent/broken-agent.spec.ts', finding: 'card/url' }

/** Green when every healthy agent passed and the broken one failed with its own finding; else says why not. */
export function judge({ tests, troubles }) {
  const reasons = [...troubles]
  const healthy = tests.filter((test) => test.file !== broken.file)
  const failing = tests.filter((test) => test.file === broken.file)
  if (healthy.length === 0) reasons.push('No example spec ran.')
  for (const test of healthy) {
    if (test.state !== 'passed')
      reasons.push(`${test.file} › ${test.title}: ${test.state}, but this agent is healthy.`)
  }
  if (failing.length === 0) reasons.push(`${broken.file} did not run.`)
  for (const test of failing) {
    const found = test.records.flatMap((record) => record.findings.map((finding) => finding.id))
    if (test.state !== 'failed') {
      reasons.push(
        `${broken.file} › ${test.title}: ${test.state}, but this agent is broken on purpose and must fail.`,
      )
    } else if (!found.includes(broken.finding)) {
      reasons.push(
        `${broken.file} › ${test.title}: failed, but not with ${broken.finding}; it found ${found.join(', ') || 'nothing'}.`,
      )
    }
  }
  return { green: reasons.length === 0, reasons }
}

/** The whole report. */
export function printDemo({ tests, seconds }, { green, reasons }, { colour }) {
  const paint = painter(colour)
  const rows = toRows([
    ...tests.filter((test) => test.file !== broken.file),
    ...tests.filter((test) => test.file === broken.file),
  ])
  const lines = [
    '',
    paint.bold('The example specs, run against agents on this machine'),
    '',
    ...table(rows, paint),
  ]

  const failure = tests.find((test) => test.file === broken.file && test.state === 'failed')
  if (failure) {
    lines.push('', paint.bold('Broken on purpose. This is what its test prints:'), '')
    for (const message of failure.messages) lines.push(...indent(colour ? message : plain(message)), '')
  } else {
    lines.push('')
  }
  for (const test of tests) {
    if (test.file === broken.file || test.state === 'passed') continue
    lines.push(paint.red(`${test.file} › ${test.title}`), '')
    for (const message of test.messages) lines.push(...indent(colour ? message : plain(message)), '')
  }

  const agents = new Set(rows.map((row) => row.agent)).size
  const checks = rows.reduce((sum, row) => sum + row.times, 0)
  const failed = rows.reduce((sum, row) => sum + (row.ok ? 0 : row.times), 0)
  const count = `${agents} agents, ${checks} checks, ${failed} failed`
  if (green)
    lines.push(
      paint.green(`✓ ${count} as expected, ${seconds.toFixed(1)} s. No key, nothing left this machine.`),
    )
  else {
    lines.push(paint.red(`✗ ${count}, ${seconds.toFixed(1)} s. Not as expected:`))
    for (const reason of reasons) lines.push(`  ${reason}`)
  }
  return `${lines.join('\n')}\n`
}

/** One row a check of an agent; the same check with the same result several times is one row. */
function toRows(tests) {
  const rows = []
  for (const record of tests.flatMap((test) => test.records)) {
    const check = record.negated ? `not.${record.matcher}` : record.matcher
    // A negated check holds when what it denies does not; the other outcomes are never turned round.
    const ok = record.outcome === (record.negated ? 'failed' : 'passed')
    const decided = record.outcome === 'passed' || record.outcome === 'failed'
    const row = {
      agent: record.agent.replace(/ \(https?:.*\)$/, ''),
      check,
      outcome: decided ? (ok ? 'passed' : 'failed') : record.outcome,
      ok,
      findings: summary(record.findings),
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
