/**
 * Fair queueing for the single thread that serves all requests. Each turn of the event loop starts one request of a
 * tenant: that of the user with the least used thread time, with the user's namespaces in rotation. A tenant therefore
 * waits for at most one request of another tenant. While lighter users have requests, a user has one request at a time
 * and pauses after it, so that thread and disk are free for the others. Follows API Priority and Fairness (KEP-1040),
 * with one queue per user instead of shuffle sharding, and time instead of seats.
 */
import { kubeError } from '@/lib/kube/errors'

/** Requests of one user that may wait; more are refused with 429. */
export const MAX_WAITING = 200
/** Requests of one user that may have begun and wait for a webhook, a disk or their body. */
export const MAX_RUNNING = 100
/** Watches that one user may have open. */
export const MAX_WATCHES = 500
const RETRY_AFTER_SECONDS = 1
/** Beside lighter users, a user rests after each request for this multiple of its duration, within these bounds. */
const THROTTLE_FACTOR = 4
const THROTTLE_MS = { least: 1, most: 100 }
/** Half-life of the used time. */
const HALF_LIFE_MS = 1000
/** A user with less than this share of another user's time is lighter. */
const LIGHTER = 0.5
/** A user with a request within this time is active. */
const PRESENT_MS = 1000
/** Limit of stored users; beyond it, users without requests are removed. */
const REMEMBERED = 1000

export interface Flow {
  user: string
  /** '' for what belongs to no namespace. */
  namespace: string
}

interface User {
  name: string
  /** Used time in ms; new users start at the current minimum. */
  used: number
  running: number
  waiting: number
  /** Requests by namespace; the first namespace is the next one. */
  spaces: Map<string, (() => void)[]>
  /** Time of the last request. */
  askedAt: number
  /** Time taken lately, in ms, as of `takenAt`. */
  taken: number
  takenAt: number
  throttledUntil: number
}

export interface FairQueueOptions {
  /** Milliseconds that never go back. */
  now?: () => number
  /** Calls back once everything that is ready now has run. */
  afterEventLoop?: (callback: () => void) => void
  /** Calls back after the delay in milliseconds. */
  after?: (ms: number, callback: () => void) => void
}

export class FairQueue {
  readonly #users = new Map<string, User>()
  readonly #now: () => number
  readonly #afterEventLoop: (callback: () => void) => void
  readonly #after: (ms: number, callback: () => void) => void
  #isAwaiting = false
  #current: { user: User; since: number } | undefined
  #isScheduled = false
  #present = 0
  #waiting = 0

  constructor(options: FairQueueOptions = {}) {
    this.#now = options.now ?? (() => performance.now())
    this.#afterEventLoop = options.afterEventLoop ?? ((callback) => void setImmediate(callback))
    this.#after = options.after ?? ((ms, callback) => void setTimeout(callback, ms))
  }

  /** Queues and runs `act`. Throws 429 if too many requests of this user are queued. */
  run<T>(flow: Flow, act: () => Promise<T>): Promise<T> {
    const user = this.#userOf(flow.user)
    user.askedAt = this.#now()
    if (!this.#current && this.#may(user) && this.#least() === undefined) return this.#begin(user, act)
    if (user.waiting >= MAX_WAITING) {
      throw tooMany(`user ${JSON.stringify(flow.user)} has ${MAX_WAITING} requests waiting; send fewer at a time`)
    }
    return new Promise((resolve, reject) => {
      this.#enqueue(user, flow.namespace, () => this.#begin(user, act).then(resolve, reject))
      this.#schedule()
    })
  }

  #userOf(name: string): User {
    const known = this.#users.get(name)
    if (known) {
      // Idle time gives no advantage over other users.
      if (known.waiting === 0 && known.running === 0) known.used = Math.max(known.used, this.#present)
      return known
    }
    if (this.#users.size >= REMEMBERED) this.#forgetIdle()
    const user: User = {
      name,
      used: this.#present,
      running: 0,
      waiting: 0,
      spaces: new Map(),
      askedAt: 0,
      taken: 0,
      takenAt: 0,
      throttledUntil: 0,
    }
    this.#users.set(name, user)
    return user
  }

  #forgetIdle(): void {
    for (const user of this.#users.values()) {
      if (user.running === 0 && user.waiting === 0) this.#users.delete(user.name)
    }
  }

  #enqueue(user: User, namespace: string, begin: () => void): void {
    const queue = user.spaces.get(namespace)
    if (queue) queue.push(begin)
    else user.spaces.set(namespace, [begin])
    user.waiting += 1
    this.#waiting += 1
  }

  async #begin<T>(user: User, act: () => Promise<T>): Promise<T> {
    const since = this.#now()
    this.#current = { user, since }
    this.#schedule()
    user.running += 1
    try {
      return await act()
    } finally {
      user.running -= 1
      this.#throttle(user, this.#now() - since)
      if (user.waiting > 0) this.#schedule()
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#afterEventLoop(() => this.#dispatch())
  }

  #dispatch(): void {
    this.#isScheduled = false
    if (this.#current) {
      const { user, since } = this.#current
      user.used += this.#now() - since
      this.#current = undefined
    }
    const next = this.#least()
    if (!next) return this.#awaitRests()
    this.#present = Math.max(this.#present, next.used)
    this.#take(next)()
  }

  /** Pauses the user in proportion to the duration of a request, including disk and webhooks. */
  #throttle(user: User, took: number): void {
    const now = this.#now()
    user.taken = takenBy(user, now) + took
    user.takenAt = now
    if (this.#hasLighter(user))
      user.throttledUntil = now + Math.min(THROTTLE_MS.most, Math.max(THROTTLE_MS.least, took * THROTTLE_FACTOR))
  }

  #hasLighter(user: User): boolean {
    const now = this.#now()
    const bound = takenBy(user, now) * LIGHTER
    for (const other of this.#users.values()) {
      if (other !== user && other.askedAt > now - PRESENT_MS && takenBy(other, now) < bound) return true
    }
    return false
  }

  #may(user: User): boolean {
    if (user.running === 0) return user.throttledUntil <= this.#now()
    return user.running < MAX_RUNNING && !this.#hasLighter(user)
  }

  /** Schedules the end of the first pause; users with a running request continue when it ends. */
  #awaitRests(): void {
    if (this.#waiting === 0 || this.#isAwaiting) return
    const now = this.#now()
    const ends = [...this.#users.values()]
      .filter((user) => user.waiting > 0 && user.throttledUntil > now)
      .map((user) => user.throttledUntil)
    if (ends.length === 0) return
    this.#isAwaiting = true
    this.#after(Math.ceil(Math.min(...ends) - now), () => {
      this.#isAwaiting = false
      this.#schedule()
    })
  }

  /** Returns the user with the least used time among those with a request that may start. */
  #least(): User | undefined {
    if (this.#waiting === 0) return undefined
    let least: User | undefined
    for (const user of this.#users.values()) {
      if (user.waiting === 0 || (least && user.used >= least.used) || !this.#may(user)) continue
      least = user
    }
    return least
  }

  #take(user: User): () => void {
    const [namespace, queue] = user.spaces.entries().next().value as [string, (() => void)[]]
    const begin = queue.shift() as () => void
    user.spaces.delete(namespace)
    if (queue.length > 0) user.spaces.set(namespace, queue)
    user.waiting -= 1
    this.#waiting -= 1
    return begin
  }
}

function takenBy({ taken, takenAt }: User, now: number): number {
  return taken * 2 ** ((takenAt - now) / HALF_LIFE_MS)
}

/** As kube-apiserver refuses what its queues cannot hold, with what to do. */
export function tooMany(why: string): Error {
  return kubeError(429, 'TooManyRequests', `too many requests, please try again later: ${why}`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
