/**
 * The state that several instances of the console must agree on: small texts that expire, and messages to all.
 * Contract.
 */
import { english } from '@/lib/messages/english'
import type { Message } from '@/lib/messages/message'
import type { EpochMs, Stop } from '@/lib/std/clock'

export type StoreState = { ok: true } | { ok: false; since: EpochMs; error: Message | string }

/**
 * A single instance keeps it in memory, several share a Redis; `store-suite.ts` specifies both. Every method rejects
 * with StoreUnavailable while a shared store is unreachable; no call takes longer than 2 s.
 */
export interface SharedStore {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlMs: number): Promise<void>
  /** Returns true when the key was free and is now set. */
  add(key: string, value: string, ttlMs: number): Promise<boolean>
  delete(key: string): Promise<void>
  /**
   * Notifies every instance, including this one. A message may be lost while the store is unavailable, so nothing may
   * depend on messages alone.
   */
  publish(channel: string, message: string): Promise<void>
  subscribe(channel: string, handler: (message: string) => void): Stop
  state(): StoreState
  onState(handler: (state: StoreState) => void): Stop
  close(): Promise<void>
}

/** The store is unavailable; `detail` says why and what to check, `message` the same in English. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor(
    readonly detail: Message | string,
    options?: ErrorOptions,
  ) {
    super(english.of(detail), options)
  }
}

/** Prefix of the keys of values under Idempotency-Keys. */
export const ONCE_PREFIX = 'once:'
