/** Limits the reviews in flight, fairly among users, so that a user with many namespaces does not delay others. */

/** Limits of the reviews in flight. */
export interface ReviewLimits {
  /** Of all users. */
  most: number
  /** Of one user. */
  perUser: number
  /** Of reviews that no request waits for. */
  background: number
}

/** `urgent`: a request waits for the answer, or the answer decides what stays on a screen. */
export type Urgency = 'urgent' | 'background'

interface Waiting {
  user: string
  urgency: Urgency
  begin: () => void
}

/**
 * Limits the concurrent calls over all users. Urgent calls go first; among calls of the same urgency, the user served
 * longest ago. A hanging call keeps its slot until it ends, so that a server that does not answer gets no further
 * calls.
 */
export class ReviewLimiter {
  readonly #limits: ReviewLimits
  /** By user, least recently served first; the calls of one user in the order of arrival. */
  readonly #waiting: Record<Urgency, Map<string, Waiting[]>> = { urgent: new Map(), background: new Map() }
  readonly #running = new Map<string, number>()
  #total = 0
  #background = 0

  constructor(limits: ReviewLimits) {
    this.#limits = limits
  }

  async run<T>(who: { user: string; urgency: Urgency }, call: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#wait({ ...who, begin })
      this.#dispatch()
    })
    try {
      return await call()
    } finally {
      this.#count(who, -1)
      this.#dispatch()
    }
  }

  #wait(waiting: Waiting): void {
    const lane = this.#waiting[waiting.urgency]
    const own = lane.get(waiting.user)
    if (own) own.push(waiting)
    else lane.set(waiting.user, [waiting])
  }

  #dispatch(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#count(next, 1)
      next.begin()
    }
  }

  #next(): Waiting | undefined {
    const { most, background } = this.#limits
    if (this.#total >= most) return undefined
    return this.#first('urgent') ?? (this.#background < background ? this.#first('background') : undefined)
  }

  /** Takes the first call of the next user and moves that user to the end. */
  #first(urgency: Urgency): Waiting | undefined {
    const lane = this.#waiting[urgency]
    for (const [user, own] of lane) {
      if ((this.#running.get(user) ?? 0) >= this.#limits.perUser) continue
      lane.delete(user)
      const first = own.shift()
      if (own.length > 0) lane.set(user, own)
      return first
    }
    return undefined
  }

  #count({ user, urgency }: { user: string; urgency: Urgency }, by: 1 | -1): void {
    this.#total += by
    if (urgency === 'background') this.#background += by
    const running = (this.#running.get(user) ?? 0) + by
    if (running > 0) this.#running.set(user, running)
    else this.#running.delete(user)
  }
}
