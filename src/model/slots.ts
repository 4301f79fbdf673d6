import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { Clock } from '../core/clock.ts'
import { allowed, faster, slower, waitFor, type Pace } from './pace.ts'

/** A place among the calls that may go on at the same time. */
export interface Slot {
  release(): void
}

/** Places for calls to one provider. Whatever it throws says that the places cannot be kept in this way. */
export interface Slots {
  /** A slot, or how long to wait at least before the next try, in ms. Stands in line from the first try on. */
  take(limit: number): Slot | { waitMs: number }
  /** Leaves the line. */
  leave(): void
  /** A call that began at `began` was refused with 429. */
  refused(limit: number, refusal: { began: number; retryAfterMs?: number | undefined }): void
  answered(limit: number): void
}

/** Slots of this process alone. */
export function localSlots(clock: Clock): Slots {
  let pace: Pace = {}
  let held = 0
  return {
    take(limit) {
      if (held >= allowed(pace, limit, clock.now())) return { waitMs: waitFor(pace, clock.now()) }
      held++
      let released = false
      return {
        release() {
          if (!released) held--
          released = true
        },
      }
    },
    leave() {},
    refused(limit, refusal) {
      pace = slower(pace, limit, clock.now(), refusal)
    },
    answered(limit) {
      pace = faster(pace, limit, clock.now())
    },
  }
}

/** The folder for the slots of this user. */
export function slotFolder(): string {
  return join(tmpdir(), `expect-a2a-${process.getuid?.() ?? 'slots'}`)
}

/** A holder of a slot touches its file that often, in ms. */
const beatEvery = 5_000
/** A slot that nobody touched for so long belongs to a thread that died, even where its process lives. */
const slotStale = 30_000
/** Whoever stands in line asks several times a second. */
const ticketStale = 5_000

interface Holder {
  pid: number
  host: string
  token: string
}

let made = 0

/**
 * Slots as files, which all processes and threads of a user share: `slot-<n>` is held by whoever made it, `wait-<time>-<token>` stands in
 * line, and `pace.json` has the pace. What a dead process left is taken over. Everything is synchronous: it takes microseconds, and
 * nothing of this process can come in between.
 */
export function sharedSlots(root: string, provider: string, clock: Clock): Slots {
  const folder = join(root, createHash('sha256').update(provider).digest('hex').slice(0, 16))
  const paceFile = join(folder, 'pace.json')
  let ticket: string | undefined
  /** Slots of this thread: nobody needs to look who has them. */
  const ours = new Set<string>()

  const holder = (): Holder => ({
    pid: process.pid,
    host: hostname(),
    token: `${process.pid}-${threadId}-${clock.now()}-${++made}`,
  })

  function prepare(): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid } = lstatSync(root)
    // Somebody else's folder in a temporary folder that is open to all would let them stop every call.
    if (process.getuid !== undefined && uid !== process.getuid()) {
      throw new Error(`${root} belongs to another user`)
    }
  }

  function readPace(): Pace {
    // Most of the time there is none, and an error takes longer than a look.
    if (!existsSync(paceFile)) return {}
    try {
      const value: unknown = JSON.parse(readFileSync(paceFile, 'utf8'))
      return typeof value === 'object' && value !== null ? value : {}
    } catch {
      return {}
    }
  }

  function writePace(before: Pace, pace: Pace): void {
    if (pace === before) return
    const temporary = `${paceFile}.${process.pid}-${threadId}`
    writeFileSync(temporary, JSON.stringify(pace))
    renameSync(temporary, paceFile)
  }

  function touch(path: string): void {
    const seconds = clock.now() / 1000
    utimesSync(path, seconds, seconds)
  }

  /** False where there is such a file already. */
  function create(path: string, content: Holder): boolean {
    try {
      writeFileSync(path, JSON.stringify(content), { flag: 'wx' })
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
    touch(path)
    return true
  }

  /** Whose file it is, and whether that one is gone; undefined where there is none. */
  function look(path: string, staleAfter: number): { token: string | undefined; stale: boolean } | undefined {
    try {
      const file = statSync(path, { throwIfNoEntry: false })
      if (file === undefined) return undefined
      const untouched = clock.now() - file.mtimeMs > staleAfter
      const owner = parse(readFileSync(path, 'utf8'))
      const dead = owner !== undefined && owner.host === hostname() && !lives(owner.pid)
      return { token: owner?.token, stale: untouched || dead }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  function remove(path: string): void {
    try {
      unlinkSync(path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }

  /**
   * Removes the file of one that is gone. The marker is named after it, and the file is looked at again under the marker, so that of two
   * who saw the same dead owner the slower one cannot remove what the faster one has made since.
   */
  function evict(path: string, token: string | undefined, staleAfter: number): boolean {
    const marker = join(folder, `evict-${token ?? 'unreadable'}`)
    if (!create(marker, holder())) {
      if (look(marker, ticketStale)?.stale) remove(marker)
      return false
    }
    try {
      const now = look(path, staleAfter)
      if (now === undefined) return true
      if (!now.stale || now.token !== token) return false
      remove(path)
      return true
    } finally {
      remove(marker)
    }
  }

  /** Those who stand in line, first come first. */
  function line(): string[] {
    const tickets = readdirSync(folder).filter((name) => name.startsWith('wait-'))
    return tickets.toSorted().filter((name) => {
      if (name === ticket) return true
      const seen = look(join(folder, name), ticketStale)
      if (seen?.stale) remove(join(folder, name))
      return seen !== undefined && !seen.stale
    })
  }

  /** Looks at no more of them than it is asked for. */
  function* freeSlots(count: number): Generator<string> {
    for (let index = 0; index < count; index++) {
      const path = join(folder, `slot-${index}`)
      if (ours.has(path)) continue
      const seen = look(path, slotStale)
      if (seen === undefined || (seen.stale && evict(path, seen.token, slotStale))) yield path
    }
  }

  /** A slot for whoever has so many others before them, if there is one. */
  function seize(count: number, before: number): Slot | undefined {
    const owner = holder()
    let free = 0
    for (const path of freeSlots(count)) {
      free++
      if (free > before && create(path, owner)) return hold(path, owner)
    }
    return undefined
  }

  function standInLine(): void {
    if (ticket === undefined) {
      const { token } = holder()
      ticket = `wait-${String(clock.now()).padStart(16, '0')}-${token}`
    }
    const path = join(folder, ticket)
    // Whoever thought us dead took us out of the line: we go back to our place.
    if (!create(path, holder())) touch(path)
  }

  function hold(path: string, owner: Holder): Slot {
    let stop = clock.after(beatEvery, beat)
    ours.add(path)
    function mine(): boolean {
      return look(path, Infinity)?.token === owner.token
    }
    function beat(): void {
      try {
        if (!mine()) return
        touch(path)
        stop = clock.after(beatEvery, beat)
      } catch {
        // The folder was taken away: nobody can hold anything in it.
      }
    }
    return {
      release() {
        stop()
        ours.delete(path)
        try {
          if (mine()) remove(path)
        } catch {
          // As above.
        }
      },
    }
  }

  return {
    take(limit) {
      prepare()
      const now = clock.now()
      const pace = readPace()
      const waiting = line()
      const place = ticket === undefined ? -1 : waiting.indexOf(ticket)
      const slot = seize(allowed(pace, limit, now), place < 0 ? waiting.length : place)
      if (slot !== undefined) {
        this.leave()
        return slot
      }
      standInLine()
      return { waitMs: waitFor(pace, now) }
    },
    leave() {
      if (ticket === undefined) return
      const path = join(folder, ticket)
      ticket = undefined
      remove(path)
    },
    refused(limit, refusal) {
      prepare()
      const pace = readPace()
      writePace(pace, slower(pace, limit, clock.now(), refusal))
    },
    answered(limit) {
      const pace = readPace()
      writePace(pace, faster(pace, limit, clock.now()))
    },
  }
}

function parse(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder> | null
    return typeof value?.pid === 'number' && typeof value.token === 'string' ? (value as Holder) : undefined
  } catch {
    // It is being written.
    return undefined
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}
