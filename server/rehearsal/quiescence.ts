/** Detects when a control plane in this process is quiescent: nothing happens unless time advances. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transport } from '@/server/kube/transport'

/** Counts what is under way in this process. */
export class Activity {
  #open = 0
  #begun = 0

  /** Calls that have begun and not ended. */
  get open(): number {
    return this.#open
  }

  /** Number of calls since the start, so that a short call is noticed. */
  get begun(): number {
    return this.#begun
  }

  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#open += 1
    this.#begun += 1
    try {
      return await call()
    } finally {
      this.#open -= 1
    }
  }

  /** A transport that counts its requests; an open watch is not under way. */
  countIn(transport: Transport): Transport {
    return {
      call: (request) => this.during(() => transport.call(request)),
      watch: (request) => this.during(() => transport.watch(request)),
      stream: (request) => this.during(() => transport.stream(request)),
      close: () => transport.close(),
    }
  }
}

/** Calls at one moment after which a control plane is taken to be in a loop: a fleet of 10,000 workloads needs a third. */
const MAX_CALLS = 3_000_000

/** A control plane that never rests: its controllers undo each other's work without time passing. */
export class NotQuiescent extends Error {
  override readonly name = 'NotQuiescent'
}

/** Turns of the event loop without any sign of work after which everything rests. */
const STABLE_ROUNDS = 2

/**
 * Resolves when the control plane is quiescent: no call is open, nothing was written (`revision` is the latest), and no
 * callback is due in the next iteration of the event loop. All its work is of these kinds, or waits for its clock.
 * Rejects with NotQuiescent after `mostCalls`.
 */
export async function untilQuiet(activity: Activity, revision: () => number, mostCalls = MAX_CALLS): Promise<void> {
  const limit = activity.begun + mostCalls
  let seen = -1
  for (let calm = 0; calm < STABLE_ROUNDS;) {
    await nextTurn()
    if (activity.begun > limit) throw new NotQuiescent(`no rest after ${mostCalls} calls`)
    const now = activity.begun + revision()
    calm = activity.open === 0 && now === seen && !hasImmediates() ? calm + 1 : 0
    seen = now
  }
}

const hasImmediates = (): boolean => process.getActiveResourcesInfo().includes('Immediate')
