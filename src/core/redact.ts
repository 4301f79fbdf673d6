const sensitiveHeader =
  /^(proxy-)?authorization$|^(set-)?cookie$|(^|[-_])(api[-_]?key|token|secret|password|signature)$|^x-amz-security-token$/i

/** True for a header whose value is never printed. */
export function isSensitiveHeader(name: string): boolean {
  return sensitiveHeader.test(name)
}

const shortest = 4

/**
 * Replaces every secret in a text: the values given, also where they are JSON-escaped, URL-encoded, in hex or in base64, or cut short
 * by an ellipsis, and whatever
 * looks like a credential by itself (`Bearer …`, a JWT, `?api_key=…`, a password in a URL, a sensitive header). Values of fewer
 * than four characters are left alone unless they stand in such a place: replacing them would shred the text.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  const hidden = placeholder(secrets)
  const spellings = forms(secrets)
  let result = text
  for (const form of spellings) {
    if (result.includes(form)) result = result.replaceAll(form, hidden)
  }
  return redactCredentials(redactCut(result, spellings, hidden), hidden)
}

/**
 * Replaces the secrets in the texts of an error and of its causes, for errors that go to whoever called: runners print them whole,
 * with `data` and `cause`. Changes the error in place, and only where a secret stands in it; gives it back.
 */
export function redactError<E>(error: E, secrets: readonly string[]): E {
  let each: unknown = error
  for (let depth = 0; depth < 5 && typeof each === 'object' && each !== null; depth++) {
    for (const key of ['message', 'stack', 'fix', 'data']) {
      const value: unknown = (each as Record<string, unknown>)[key]
      const clean = redactWithin(value, secrets)
      if (clean === value) continue
      const enumerable = Object.prototype.propertyIsEnumerable.call(each, key)
      // A frozen error stays as it is.
      Reflect.defineProperty(each, key, { value: clean, enumerable, configurable: true, writable: true })
    }
    each = (each as { cause?: unknown }).cause
  }
  return error
}

const deepest = 100

/** The same value where nothing is to be hidden in it. */
function redactWithin(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === 'string') return redact(value, secrets)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return placeholder(secrets)
  const entries = Object.entries(value).map(
    ([key, one]) => [key, redactWithin(one, secrets, depth + 1)] as const,
  )
  if (entries.every(([key, one]) => one === (value as Record<string, unknown>)[key])) return value
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** Excerpts are cut before anybody knows what is secret in them: hides the beginning of one where it ends in an ellipsis. */
function redactCut(text: string, spellings: readonly string[], hidden: string): string {
  if (spellings.length === 0 || !text.includes('…')) return text
  const pieces = text.split('…')
  const last = pieces.pop() ?? ''
  const clean = pieces.map((piece) => {
    let longest = 0
    for (const form of spellings) {
      for (let length = Math.min(form.length - 1, piece.length); length >= shortest; length--) {
        if (length <= longest || !piece.endsWith(form.slice(0, length))) continue
        longest = length
      }
    }
    return longest === 0 ? piece : `${piece.slice(0, -longest)}${hidden}`
  })
  return [...clean, last].join('…')
}

/** A stand-in that is itself no part of a secret. */
function placeholder(secrets: readonly string[]): string {
  const clashes = (candidate: string): boolean =>
    secrets.some(
      (secret) => secret.length >= shortest && (candidate.includes(secret) || secret.includes(candidate)),
    )
  return ['<hidden>', '***', '•••'].find((candidate) => !clashes(candidate)) ?? ''
}

/** All spellings in which a secret may turn up, longest first, so that none is cut into pieces by a shorter one. */
function forms(secrets: readonly string[]): string[] {
  const all = new Set<string>()
  const add = (form: string): void => {
    if (form.length >= shortest) all.add(form)
  }
  for (const secret of secrets) {
    if (secret.length < shortest) continue
    // A key of several lines is printed indented, which parts its lines.
    const lines = /\n/.test(secret) ? secret.split(/\r?\n/).map((line) => line.trim()) : []
    for (const value of new Set([secret, secret.trim(), ...lines.filter((line) => line.length >= 8)])) {
      add(value)
      add(JSON.stringify(value).slice(1, -1))
      addEncoded(value, add)
      for (const form of base64Forms(value)) add(form)
      const hex = Buffer.from(value, 'utf8').toString('hex')
      add(hex)
      add(hex.toUpperCase())
    }
  }
  return [...all].sort((a, b) => b.length - a.length)
}

function addEncoded(value: string, add: (form: string) => void): void {
  try {
    const encoded = encodeURIComponent(value)
    add(encoded)
    add(encoded.replaceAll('%20', '+'))
    add(encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))
    add(encodeURI(value))
    add(new URLSearchParams([['', value]]).toString().slice(1))
  } catch {
    // A lone surrogate has no URL encoding.
  }
}

/** What a value becomes within base64, wherever in the encoded text it begins: `user:password` hides the password so. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8')
  const found: string[] = []
  for (const offset of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    // The characters at both ends also depend on the neighbours.
    const from = [0, 2, 3][offset] ?? 0
    const whole = Math.floor(((offset + bytes.length) * 8) / 6)
    const form = shifted.slice(from, whole)
    if (form.length >= 6) found.push(form, form.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return found
}

function redactCredentials(text: string, hidden: string): string {
  return (
    text
      // With a digit or a `=`: "Basic authentication" and "bearer scheme" are words.
      .replaceAll(
        /\b(Bearer|Basic|Token|ApiKey)(\s+)(?=[\w.~+/=-]*[\d=])[\w.~+/=-]{8,}/gi,
        (_, scheme: string, gap: string) => `${scheme}${gap}${hidden}`,
      )
      .replaceAll(/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, hidden)
      .replaceAll(
        /\b(sk|pk|rk)-(?=[\w-]*\d)[\w-]{16,}|\bgh[opsu]_\w{20,}|\bxox[abpr]-[\w-]{10,}|\bAKIA[A-Z\d]{16}\b/g,
        hidden,
      )
      .replaceAll(/(https?:\/\/)[^\s/@"'<>]+@/gi, `$1${hidden}@`)
      .replaceAll(
        /([?&](?:api[-_]?key|key|token|access_token|client_secret|signature|sig|password)=)(?!\$)[^\s&#"'<>]+/gi,
        `$1${hidden}`,
      )
      .replaceAll(
        /^(\s*(?:(?:proxy-)?authorization|(?:set-)?cookie|[\w-]*api[-_]?key)\s*:\s+)(?!.*\$[A-Z])\S.*$/gim,
        `$1${hidden}`,
      )
      .replaceAll(
        /("(?:(?:proxy-)?authorization|(?:set-)?cookie|(?:x-)?api[-_]?key|access_token|refresh_token|client_secret|password)"\s*:\s*)"(?:[^"\\\n…]|\\.)+("|(?=…)|$)/gim,
        `$1"${hidden}$2`,
      )
  )
}
