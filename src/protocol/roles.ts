import type { Role } from './model.ts'
import { badReply, quote, type Reading, type WireForm } from './reading.ts'

/** Words of model vendors and UI kits that bridges pass through. */
const foreignWords = new Map<string, Role>([
  ['model', 'agent'],
  ['assistant', 'agent'],
  ['bot', 'agent'],
  ['ai', 'agent'],
  ['human', 'user'],
])
const byNumber = new Map<unknown, Role>([
  [1, 'user'],
  [2, 'agent'],
])

/** The role as an interface of that form writes it. */
export function wireRole(role: Role, form: WireForm): string {
  return form.proto ? `ROLE_${role.toUpperCase()}` : role
}

/**
 * Reads the role of a message that an agent sent: a missing one is the agent's, with a finding. Throws A2AReplyError
 * `BAD_REPLY` for nonsense. In a history both read as the user's, since no answer hangs on them.
 */
export function readRole(reading: Reading, value: unknown, path: string, inHistory: boolean): Role {
  const { form } = reading
  if (value === undefined || value === null || value === '' || value === 'ROLE_UNSPECIFIED') {
    // The user's own words must never pass for an answer.
    const role = inHistory ? 'user' : 'agent'
    reading.note('wire/role', path, `a message has no role; it is read as the ${role}'s`, source(form))
    return role
  }
  const role = findRole(value, form)
  const rule = '(0.3: "agent", 1.0: "ROLE_AGENT")'
  if (role === undefined) {
    const message = `role ${quote(value)} is not an A2A role ${rule}`
    if (!inHistory) throw badReply('wire/role', message)
    reading.note('wire/role', path, `${message}; its text is not taken for an answer`, source(form))
    return 'user'
  }
  if ((form.json && value === role) || (form.proto && value === `ROLE_${role.toUpperCase()}`)) return role
  const expected = `this interface speaks ${form.dialect} (expected "${wireRole(role, form)}")`
  if (value === role)
    reading.note('wire/role', path, `role "${role}" is the 0.3 spelling; ${expected}`, source(form))
  else if (value === `ROLE_${role.toUpperCase()}`) {
    reading.note('wire/role', path, `role "${value}" is the 1.0 spelling; ${expected}`, source(form))
  } else reading.note('wire/role', path, `role ${quote(value)} is not an A2A role ${rule}`, source(form))
  return role
}

function findRole(value: unknown, form: WireForm): Role | undefined {
  if (typeof value !== 'string') return form.proto ? byNumber.get(value) : undefined
  const word = value.toLowerCase().replace(/^role[-_ .]?/, '')
  return word === 'agent' || word === 'user' ? word : foreignWords.get(word)
}

function source(form: WireForm): { source: string } {
  return { source: form.version.sources.roles }
}
