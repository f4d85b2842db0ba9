/**
 * How much of what instances share one user may fill: without it, one could fill it for all. Counted by each instance
 * for itself, in characters, and forgotten with it.
 */
import type { Clock, EpochMs } from '@/lib/std/clock'

export interface UserQuotaOptions {
  clock: Clock
  /** What one user may have in the store at a time. The last thing may reach beyond it. */
  mostCharacters: number
}

/** So exactly it is known when something expires: what is kept counts until the end of its slice. */
const SLICE_MS = 600_000

interface Share {
  characters: number
  /** What expires in each slice of time. */
  bySlice: Map<number, number>
}

export class UserQuota {
  readonly #options: UserQuotaOptions
  readonly #shares = new Map<string, Share>()
  #sweptAt = 0

  constructor(options: UserQuotaOptions) {
    this.#options = options
  }

  /** When something of this user's goes, for one whose share is full; undefined while there is room. */
  fullUntil(user: string): EpochMs | undefined {
    this.#sweep()
    const share = this.#shares.get(user)
    if (!share || share.characters < this.#options.mostCharacters) return undefined
    return (Math.min(...share.bySlice.keys()) + 1) * SLICE_MS
  }

  /** Counts what was kept for a user. */
  add(user: string, characters: number, ttlMs: number): void {
    const share = this.#shares.get(user) ?? { characters: 0, bySlice: new Map<number, number>() }
    const slice = sliceOf(this.#options.clock.now() + ttlMs)
    share.bySlice.set(slice, (share.bySlice.get(slice) ?? 0) + characters)
    share.characters += characters
    this.#shares.set(user, share)
  }

  /** Once in a slice: what ended in those before is free again. */
  #sweep(): void {
    const now = sliceOf(this.#options.clock.now())
    if (now === this.#sweptAt) return
    this.#sweptAt = now
    for (const [user, share] of this.#shares) {
      for (const [slice, characters] of share.bySlice) {
        if (slice >= now) continue
        share.bySlice.delete(slice)
        share.characters -= characters
      }
      if (share.bySlice.size === 0) this.#shares.delete(user)
    }
  }
}

const sliceOf = (at: EpochMs): number => Math.floor(at / SLICE_MS)
