/**
 * Limits how much of the shared store one user may fill; otherwise one user could fill it for all. Each instance counts
 * separately, in characters, and loses the count with the process.
 */
import type { Clock, EpochMs } from '@/lib/std/clock'

export interface UserQuotaOptions {
  clock: Clock
  /** Limit of stored characters of one user. The last value may exceed it. */
  mostCharacters: number
}

/** Precision of the expiry: a value counts until the end of its slice. */
const SLICE_MS = 600_000

interface Share {
  characters: number
  /** Characters that expire in each slice of time. */
  bySlice: Map<number, number>
}

export class UserQuota {
  readonly #options: UserQuotaOptions
  readonly #shares = new Map<string, Share>()
  #sweptAt = 0

  constructor(options: UserQuotaOptions) {
    this.#options = options
  }

  /** Returns when a value of a user over the limit expires; undefined below the limit. */
  fullUntil(user: string): EpochMs | undefined {
    this.#sweep()
    const share = this.#shares.get(user)
    if (!share || share.characters < this.#options.mostCharacters) return undefined
    return (Math.min(...share.bySlice.keys()) + 1) * SLICE_MS
  }

  /** Counts a stored value of a user. */
  add(user: string, characters: number, ttlMs: number): void {
    const share = this.#shares.get(user) ?? { characters: 0, bySlice: new Map<number, number>() }
    const slice = sliceOf(this.#options.clock.now() + ttlMs)
    share.bySlice.set(slice, (share.bySlice.get(slice) ?? 0) + characters)
    share.characters += characters
    this.#shares.set(user, share)
  }

  /** Runs once per slice: values of earlier slices are free again. */
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
