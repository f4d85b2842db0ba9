/** What several instances of the console must agree on: small texts that expire, and messages to all. Contract. */
import { english } from '@/lib/messages/english'
import type { Message } from '@/lib/messages/message'
import type { EpochMs, Stop } from '@/lib/std/clock'

export type StoreState = { ok: true } | { ok: false; since: EpochMs; error: Message | string }

/**
 * One instance alone keeps this in memory, several share a Redis; `store-suite.ts` tells for both what must hold.
 * Every method rejects with StoreUnavailable while a shared store cannot be reached; no call takes longer than 2 s.
 */
export interface SharedStore {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** True when the key was free and is now taken. */
  add(key: string, value: string, ttlMs: number): Promise<boolean>
  delete(key: string): Promise<void>
  /**
   * Tells every instance, this one too. A message may be lost while the store is away; nothing may depend on it alone.
   */
  publish(channel: string, message: string): Promise<void>
  subscribe(channel: string, handler: (message: string) => void): Stop
  state(): StoreState
  onState(handler: (state: StoreState) => void): Stop
  close(): Promise<void>
}

/** The store cannot be used now; `detail` says why and what to check, `message` the same in English. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor(
    readonly detail: Message | string,
    options?: ErrorOptions,
  ) {
    super(english.of(detail), options)
  }
}

/** Keys of what is kept under Idempotency-Keys. */
export const ONCE_PREFIX = 'once:'
