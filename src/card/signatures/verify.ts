import type { FindingId } from '../../findings/catalogue.ts'
import { finding } from '../../findings/finding.ts'
import type { FlattenedJWSInput } from 'jose'
import type { Finding } from '../../findings/types.ts'
import { listed, show } from '../values.ts'
import { formTexts, type Form } from './forms.ts'
import { readSignature, type ReadSignature } from './header.ts'
import type { Published } from './jku.ts'
import { loadJose, type JoseModule } from './jose.ts'
import type { VerificationKey } from './keys.ts'
import type { SignatureResult } from './types.ts'

/** What the signatures of one card are checked with. */
export interface VerificationQuestion {
  /** The entries of the card's `signatures`. */
  signatures: readonly unknown[]
  /** What they may have been made over; see `formsOf`. */
  forms: readonly Form[]
  /** True when A2A says in which form a card is signed (1.0). */
  formIsDefined: boolean
  keys: readonly VerificationKey[]
  secret?: Uint8Array
  fetchKeys: (jku: string, path: string) => Promise<Published>
  /** Ms since the epoch. */
  now: number
}

/** More signatures than rotation can need: a card of thousands must not keep a test busy. */
const most = 20

const secretAlgorithms: ReadonlySet<string> = new Set(['HS256', 'HS384', 'HS512'])

/** What kind of key each algorithm goes with. Source: RFC 7518 §3.1, RFC 8037, RFC 9864. */
const keyKinds: Readonly<Record<string, string>> = {
  ES256: 'ec prime256v1',
  ES384: 'ec secp384r1',
  ES512: 'ec secp521r1',
  RS256: 'rsa',
  RS384: 'rsa',
  RS512: 'rsa',
  PS256: 'rsa',
  PS384: 'rsa',
  PS512: 'rsa',
  EdDSA: 'ed25519',
  Ed25519: 'ed25519',
}

/** Checks each signature of a card on its own, in the order of the card. Throws only what fetching throws about the whole test. */
export async function verifySignatures(question: VerificationQuestion): Promise<SignatureResult[]> {
  const jose = await loadJose()
  const results: SignatureResult[] = []
  for (const [index, entry] of question.signatures.entries()) {
    const path = `signatures[${index}]`
    results.push(
      index < most
        ? await verifyOne(entry, path, question, jose)
        : undecided(path, '', `only the first ${most} signatures are looked at`, 'Sign the card once a key.'),
    )
  }
  return results
}

async function verifyOne(
  entry: unknown,
  path: string,
  question: VerificationQuestion,
  jose: JoseModule,
): Promise<SignatureResult> {
  const read = readSignature(entry)
  if ('why' in read) return refused(path, '', 'card/signature-refused', read.why, read.fix)
  const { alg, kid } = read
  const label = `${alg}, key ${show(kid)}`
  const attempt: Attempt = { read, path, label, question, jose }
  if (secretAlgorithms.has(alg)) return withSecret(attempt)
  if (keyKinds[alg] === undefined) {
    const fix = `Sign with one of ${Object.keys(keyKinds).join(', ')}.`
    return undecided(path, label, `its alg is ${show(alg)}, which this verifier does not know`, fix)
  }
  return withKeys(attempt)
}

interface Attempt {
  read: ReadSignature
  path: string
  label: string
  question: VerificationQuestion
  jose: JoseModule
}

async function withSecret(attempt: Attempt): Promise<SignatureResult> {
  const { read, path, label, question } = attempt
  const { secret } = question
  if (secret === undefined) {
    const fix =
      'Pass it with the option secret, or sign with a key pair, which clients can check without being able to sign.'
    return undecided(path, label, `${read.alg} needs the shared secret, which was not given`, fix)
  }
  const form = await formSigned(attempt, secret)
  if (form === undefined) return mismatch(path, label, 'the given secret')
  return valid(attempt, form, [
    finding(
      'card/signature-shared-secret',
      `${read.alg} is made with a shared secret: everybody who can check it can also forge it`,
      { path },
    ),
  ])
}

async function withKeys(attempt: Attempt): Promise<SignatureResult> {
  const { read, path, label, question } = attempt
  const { keys, fetchKeys } = question
  const named = keys.filter(({ kid }) => kid === read.kid)
  const trusted =
    named.length > 0 ? named : keys.filter((key) => key.kid === undefined && fits(key, read.alg))
  const found = await tryKeys(attempt, trusted)
  if (found !== undefined) return judgeKey(attempt, found)
  const published = named.length === 0 && read.jku !== undefined ? await fetchKeys(read.jku, path) : undefined
  const offered = published !== undefined && 'keys' in published ? published.keys : []
  const own = offered.filter(({ kid }) => kid === read.kid || (kid === undefined && offered.length === 1))
  const fetched = await tryKeys(attempt, own)
  if (fetched !== undefined) {
    const vouched = published !== undefined && 'keys' in published && published.own
    return judgeKey(attempt, fetched, vouched)
  }
  const tried = [...trusted, ...own]
  if (tried.length > 0) return notBy(attempt, tried)
  const other = await tryKeys(attempt, keys)
  if (other !== undefined) {
    const why = `its kid is ${show(read.kid)}, but it was made with the key ${other.key.label}, whose kid is ${show(other.key.kid)}`
    return refused(
      path,
      label,
      'card/signature-kid',
      why,
      'Write the kid of the key that signs into the protected header.',
    )
  }
  return noKey(attempt, published)
}

/** The first key that a signature was made with, and over which form of the card. */
interface Match {
  key: VerificationKey
  form: Form
}

async function tryKeys(attempt: Attempt, keys: readonly VerificationKey[]): Promise<Match | undefined> {
  for (const key of keys) {
    if (!fits(key, attempt.read.alg)) continue
    const form = await formSigned(attempt, key.key)
    if (form !== undefined) return { key, form }
  }
  return undefined
}

async function formSigned(
  { read, question, jose }: Attempt,
  key: Parameters<JoseModule['flattenedVerify']>[1],
): Promise<Form | undefined> {
  for (const form of question.forms) {
    const payload = Buffer.from(form.payload, 'utf8').toString('base64url')
    const jws: FlattenedJWSInput = { payload, protected: read.protected, signature: read.signature }
    try {
      await jose.flattenedVerify(jws, key, { algorithms: [read.alg] })
      return form
    } catch {
      // Another form, or another key, may still be the one.
    }
  }
  return undefined
}

function fits(key: VerificationKey, alg: string): boolean {
  return unfitness(key, alg) === undefined
}

/** Why a key cannot have made a signature of this algorithm; undefined when it can. */
function unfitness({ key, alg: only, unfit }: VerificationKey, alg: string): string | undefined {
  if (unfit !== undefined) return unfit
  if (only !== undefined && only !== alg) return `it is for ${only} only`
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details = {} } = key
  const kind = type === 'ec' ? `ec ${details.namedCurve}` : type
  if (kind !== keyKinds[alg]) return `it is a key of the kind ${kind}`
  const bits = details.modulusLength ?? 0
  return type === 'rsa' && bits < 2048 ? `it has ${bits} bits, and RFC 7518 wants 2048 or more` : undefined
}

function judgeKey(attempt: Attempt, { key, form }: Match, vouched = false): SignatureResult {
  const { path, label, question } = attempt
  const { until = Infinity, from = 0 } = key
  if (until <= question.now || from > question.now) {
    const when = until <= question.now ? `ended on ${day(until)}` : `begins on ${day(from)} only`
    const why = `it matches the card, but the validity of its key (${key.label}) ${when}`
    return refused(
      path,
      label,
      'card/signature-key-expired',
      why,
      'Sign the card with a key that is valid, and publish that one.',
    )
  }
  if (!vouched) return valid(attempt, form)
  return valid(attempt, form, [
    finding(
      'card/signature-own-key',
      `its key came from the agent itself (${key.label}), so the card is intact, but nothing else confirms who wrote it`,
      { path },
    ),
  ])
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Valid, with what is to be said of the form that was signed. */
function valid({ path, label, question }: Attempt, form: Form, findings: Finding[] = []): SignatureResult {
  const found = [...findings]
  if (form.name !== (question.formIsDefined ? 'spec' : 'raw')) {
    const clients = question.formIsDefined
      ? 'clients that follow the specification refuse it'
      : 'A2A 0.3 defines no form, so that clients with another one refuse it'
    found.push(
      finding(
        'card/signature-form',
        `it was made over another form of the card (${form.name}): over ${formTexts[form.name]}; ${clients}`,
        {
          path,
          fix: question.formIsDefined
            ? form.name === 'sdk'
              ? 'Leave empty members out of the card, so that this form and that of A2A 1.0 §8.4.1 are the same.'
              : 'Sign the canonical form of A2A 1.0 §8.4.1.'
            : 'Sign the document as it is served, in the canonical form of RFC 8785.',
          source: question.formIsDefined ? 'A2A 1.0 §8.4.1' : 'A2A 0.3 §5.5.6',
        },
      ),
    )
  }
  if (form.uncovered.length > 0) {
    found.push(
      finding(
        'card/signature-uncovered',
        `it does not cover ${listed(form.uncovered)}, which anybody in between can change`,
        {
          path,
          fix:
            form.name === 'js-memory'
              ? 'Sign the JSON form of the card, which `AgentCard.toJSON()` gives, instead of the object in memory.'
              : 'Sign only members that A2A 1.0 defines.',
        },
      ),
    )
  }
  return { path, state: 'valid', label: `${label}, form ${form.name}`, findings: found }
}

function notBy({ read, path, label }: Attempt, tried: readonly VerificationKey[]): SignatureResult {
  const names = listed(tried.map((key) => key.label))
  const reasons = tried.map((key) => unfitness(key, read.alg))
  const reason = reasons.find((one) => one !== undefined)
  if (reason === undefined || reasons.includes(undefined)) {
    return mismatch(path, label, tried.length === 1 ? `the key ${names}` : `any of the keys ${names}`)
  }
  const why = `the key ${names} is not one for ${read.alg}: ${reason}`
  return refused(
    path,
    label,
    'card/signature-mismatch',
    why,
    'Sign with the key that the kid names, and with its algorithm.',
  )
}

function mismatch(path: string, label: string, by: string): SignatureResult {
  const why = `it does not match the card with ${by}, in no form that signers use: the card was changed after it was signed, or another key signed it`
  const fix =
    'Sign the card as it is served, after the last change to it (also to addresses that are filled in at run time), and publish the key that signs.'
  return refused(path, label, 'card/signature-mismatch', why, fix)
}

function noKey({ read, path, label, question }: Attempt, published: Published | undefined): SignatureResult {
  const kid = show(read.kid)
  if (published !== undefined && 'why' in published) {
    return undecided(path, label, published.why, published.fix)
  }
  const fix = `Pass the public key with the option keys: { ${kid}: … }.`
  if (published !== undefined) {
    const names = published.keys.map((key) => show(key.kid))
    const has = names.length === 0 ? 'which has no key at all' : `which has ${listed(names)} only`
    return undecided(path, label, `there is no key ${kid} at ${show(read.jku)} (jku), ${has}`, fix)
  }
  const given = question.keys.map((key) => (key.kid === undefined ? key.label : show(key.kid)))
  const why =
    given.length === 0
      ? `no key was given, and it names no jku from which ${kid} could be had`
      : `none of the given keys is ${kid}: ${listed(given)}`
  return undecided(path, label, why, fix)
}

function refused(path: string, label: string, id: FindingId, message: string, fix: string): SignatureResult {
  const found = finding(id, message, { path, fix, source: 'A2A 1.0 §8.4' })
  return { path, label, state: 'refused', findings: [found] }
}

function undecided(path: string, label: string, message: string, fix: string): SignatureResult {
  const found = finding('card/signature-unverifiable', message, { path, fix })
  return { path, label, state: 'undecided', findings: [found] }
}
