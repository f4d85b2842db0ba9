/** Lets reviews through a few at a time, in turns, so that nobody's namespaces keep others waiting. */

/** How many reviews may be under way at once. */
export interface GateLimits {
  /** Of everybody. */
  most: number
  /** Of one user. */
  perUser: number
  /** Of those that nobody waits for. */
  calm: number
}

/** `urgent`: somebody waits for the answer, or it decides what stays on a screen. */
export type Urgency = 'urgent' | 'calm'

interface Waiting {
  user: string
  urgency: Urgency
  begin: () => void
}

/**
 * At most so many calls at once, whoever makes them. The urgent ones go first; among equals the user whose turn was
 * longest ago. A call that hangs keeps its place until it ends: a server that does not answer is not asked more.
 */
export class Gate {
  readonly #limits: GateLimits
  /** By user, in the order of their turns; of one user in the order of asking. */
  readonly #waiting: Record<Urgency, Map<string, Waiting[]>> = { urgent: new Map(), calm: new Map() }
  readonly #running = new Map<string, number>()
  #total = 0
  #calm = 0

  constructor(limits: GateLimits) {
    this.#limits = limits
  }

  async pass<T>(who: { user: string; urgency: Urgency }, call: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.#wait({ ...who, begin })
      this.#letIn()
    })
    try {
      return await call()
    } finally {
      this.#count(who, -1)
      this.#letIn()
    }
  }

  #wait(waiting: Waiting): void {
    const lane = this.#waiting[waiting.urgency]
    const own = lane.get(waiting.user)
    if (own) own.push(waiting)
    else lane.set(waiting.user, [waiting])
  }

  #letIn(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#count(next, 1)
      next.begin()
    }
  }

  #next(): Waiting | undefined {
    const { most, calm } = this.#limits
    if (this.#total >= most) return undefined
    return this.#first('urgent') ?? (this.#calm < calm ? this.#first('calm') : undefined)
  }

  /** The first of the user whose turn it is; that user goes to the end. */
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
    if (urgency === 'calm') this.#calm += by
    const running = (this.#running.get(user) ?? 0) + by
    if (running > 0) this.#running.set(user, running)
    else this.#running.delete(user)
  }
}
