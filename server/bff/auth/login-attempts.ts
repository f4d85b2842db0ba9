/** Slows down guessing: failed attempts are counted by address. */
import type { Clock, EpochMs } from '@/lib/std/clock'
import { forgetOldest } from '@/lib/std/recent-map'
import { networkOf } from './address'
import { tooManyAttempts } from './refusals'

export interface LoginAttempts {
  /** Throws a Refusal (429) for an address with too many failures. */
  refuseGuessing(address: string): void
  isGuessing(address: string): boolean
  wrong(address: string): void
}

const MOST = 10
const WINDOW_MS = 60_000
/**
 * Beyond this number the oldest addresses are dropped, so that an attack from many addresses does not fill the memory.
 */
const MAX_ADDRESSES = 10_000

/** Allows ten failures a minute; a success does not reset the count. */
export function createLoginAttempts(clock: Clock): LoginAttempts {
  const counts = new Map<string, { wrong: number; until: EpochMs }>()
  const current = (address: string): { wrong: number; until: EpochMs } | undefined => {
    const count = counts.get(networkOf(address))
    return count && count.until > clock.now() ? count : undefined
  }
  const isGuessing = (address: string): boolean => (current(address)?.wrong ?? 0) >= MOST
  return {
    isGuessing,
    refuseGuessing: (address) => {
      const { until = 0 } = current(address) ?? {}
      if (isGuessing(address)) throw tooManyAttempts(Math.ceil((until - clock.now()) / 1000))
    },
    wrong: (address) => {
      const count = current(address) ?? { wrong: 0, until: clock.now() + WINDOW_MS }
      counts.delete(networkOf(address))
      counts.set(networkOf(address), { ...count, wrong: count.wrong + 1 })
      forgetOldest(counts, MAX_ADDRESSES)
    },
  }
}
