/** The verdicts on single questions of one user, cached briefly: buttons and actions repeat the same questions. */
import type { Clock, EpochMs } from '@/lib/std/clock'
import { forgetOldest } from '@/lib/std/recent-map'
import type { Question, Verdict } from './access'

const REMEMBERED_MS = 10_000
const MAX_VERDICTS = 500

export class Verdicts {
  readonly #known = new Map<string, { at: EpochMs; verdict: Promise<Verdict> }>()

  constructor(private readonly clock: Clock) {}

  /** Returns the verdict on a question and reviews it when it is not cached. Failures are not cached. */
  of(question: Question, ask: (question: Question) => Promise<Verdict>): Promise<Verdict> {
    const key = keyOf(question)
    const known = this.#known.get(key)
    const now = this.clock.now()
    // If the clock was set back, the cached answer must not live longer.
    if (known && now >= known.at && now - known.at < REMEMBERED_MS) return known.verdict
    const verdict = ask(question)
    this.#known.delete(key)
    this.#known.set(key, { at: now, verdict })
    // A failed question is asked again by the next caller; this caller gets the error from the promise itself.
    verdict.catch(() => this.#known.get(key)?.verdict === verdict && this.#known.delete(key))
    forgetOldest(this.#known, MAX_VERDICTS)
    return verdict
  }

  clear(): void {
    this.#known.clear()
  }
}

const keyOf = ({ verb, group, resource, subresource, namespace, name }: Question): string =>
  JSON.stringify([verb, group, resource, subresource, namespace, name])
