/** What one user was told about single questions, remembered for a moment: buttons and actions ask the same. */
import type { Clock, EpochMs } from '@/lib/std/clock'
import type { Question, Verdict } from './access'

const REMEMBERED_MS = 10_000
const MOST_VERDICTS = 500

export class Verdicts {
  readonly #known = new Map<string, { at: EpochMs; verdict: Promise<Verdict> }>()

  constructor(private readonly clock: Clock) {}

  /** The answer to that question, asked when it is not known. What could not be asked is not remembered. */
  of(question: Question, ask: (question: Question) => Promise<Verdict>): Promise<Verdict> {
    const key = keyOf(question)
    const known = this.#known.get(key)
    const now = this.clock.now()
    // A clock that was set back must not keep an answer alive.
    if (known && now >= known.at && now - known.at < REMEMBERED_MS) return known.verdict
    const verdict = ask(question)
    this.#known.delete(key)
    this.#known.set(key, { at: now, verdict })
    // What failed is asked again by the next one; the asker is told through the promise itself.
    verdict.catch(() => this.#known.get(key)?.verdict === verdict && this.#known.delete(key))
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_VERDICTS && oldest !== undefined) this.#known.delete(oldest)
    return verdict
  }

  clear(): void {
    this.#known.clear()
  }
}

const keyOf = ({ verb, group, resource, subresource, namespace, name }: Question): string =>
  JSON.stringify([verb, group, resource, subresource, namespace, name])
