/** What follows an attempt to deliver a notice. */
import type { EpochMs } from '@/lib/std/clock'

/** How an attempt ended. */
export type Attempt =
  | { ok: true; status: number }
  | { ok: false; error: string; status?: number; retryAfterMs?: number; final: boolean }

export type NextStep = { step: 'done' } | { step: 'retry'; afterMs: number } | { step: 'giveUp' }

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 300_000
/** A receiver may ask for no more than this. */
const MAX_ASKED_MS = 900_000

export interface AttemptFacts {
  attempt: Attempt
  /** Attempts so far, this one included. */
  attempts: number
  firstAt: EpochMs
  now: EpochMs
  giveUpAfterMs: number
  /** Uniform in [0, 1). */
  random: () => number
}

/** Retries double from 1 s to 5 min, each between half and all of it, never before the receiver asked, until the limit. */
export function afterAttempt({ attempt, attempts, firstAt, now, giveUpAfterMs, random }: AttemptFacts): NextStep {
  if (attempt.ok) return { step: 'done' }
  if (attempt.final) return { step: 'giveUp' }
  const whole = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20))
  const asked = Math.min(MAX_ASKED_MS, attempt.retryAfterMs ?? 0)
  const afterMs = Math.max(asked, Math.round(whole * (0.5 + random() / 2)))
  return now + afterMs - firstAt > giveUpAfterMs ? { step: 'giveUp' } : { step: 'retry', afterMs }
}

const WORTH_A_RETRY = new Set([408, 425, 429])

/** An answer as an attempt. A redirect is not followed: receivers come from the configuration only. */
export function attemptOf(status: number, retryAfter: string | undefined, now: EpochMs): Attempt {
  if (status >= 200 && status < 300) return { ok: true, status }
  const retryAfterMs = readRetryAfter(retryAfter, now)
  const isRedirect = status >= 300 && status < 400
  return {
    ok: false,
    status,
    error: isRedirect ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    final: status < 500 && !WORTH_A_RETRY.has(status),
  }
}

/** Seconds, or a date. */
function readRetryAfter(text: string | undefined, now: EpochMs): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
