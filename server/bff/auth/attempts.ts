/** Slows down who guesses: wrong tokens are counted by address. */
import { isIPv6 } from 'node:net'
import type { Clock, EpochMs } from '@/lib/std/clock'
import { tooManyAttempts } from './refusals'

export interface Attempts {
  /** Throws a Refusal (429) for an address that was wrong too often. */
  refuseGuessing(address: string): void
  wrong(address: string): void
}

const MOST = 10
const WINDOW_MS = 60_000
/** Beyond it the oldest are forgotten, so that guessing from everywhere does not fill the memory. */
const MOST_ADDRESSES = 10_000

/** Ten wrong ones a minute; a right one does not forgive them. */
export function createAttempts(clock: Clock): Attempts {
  const counts = new Map<string, { wrong: number; until: EpochMs }>()
  const current = (address: string): { wrong: number; until: EpochMs } | undefined => {
    const count = counts.get(networkOf(address))
    return count && count.until > clock.now() ? count : undefined
  }
  return {
    refuseGuessing: (address) => {
      const count = current(address)
      if (count && count.wrong >= MOST) throw tooManyAttempts(Math.ceil((count.until - clock.now()) / 1000))
    },
    wrong: (address) => {
      const count = current(address) ?? { wrong: 0, until: clock.now() + WINDOW_MS }
      counts.delete(networkOf(address))
      counts.set(networkOf(address), { ...count, wrong: count.wrong + 1 })
      const [oldest] = counts.keys()
      if (counts.size > MOST_ADDRESSES && oldest !== undefined) counts.delete(oldest)
    },
  }
}

/** One household has a whole /64 of IPv6. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%', 1)[0]?.split('::') ?? []
  const first = head === '' ? [] : head.split(':')
  const last = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array.from({ length: Math.max(missing, 0) }, () => '0'), ...last].slice(0, 4)
    .map((part) => parseInt(part, 16).toString(16)).join(':')
}
