import {
  notifyManager,
  QueriesObserver,
  type QueryClient,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/react-query'
import type { Clock } from '@/lib/std/clock'

/** Queries with this key are the same ones. */
export interface SharedQuestion {
  key: string
  queries: () => QueryObserverOptions[]
  /** A component that begins to use answers of this age has them fetched again. */
  staleMs: number
}

/**
 * Answers to queries that every row of a list asks. All rows share one observer: with one each, mounting and removing the
 * observers took a sixth of the time that new rows need.
 */
export class SharedAnswers {
  readonly #byKey = new Map<string, Answers>()

  constructor(
    private readonly client: QueryClient,
    private readonly clock: Pick<Clock, 'elapsed'>,
  ) {}

  of(question: SharedQuestion): Answers {
    const known = this.#byKey.get(question.key)
    if (known) return known
    const created = new Answers(question, {
      client: this.client,
      clock: this.clock,
      onUnused: () => this.#byKey.delete(question.key),
    })
    this.#byKey.set(question.key, created)
    return created
  }
}

interface Environment {
  client: QueryClient
  clock: Pick<Clock, 'elapsed'>
  onUnused: () => void
}

/** The store of one question, for `useSyncExternalStore`. */
export class Answers {
  readonly #listeners = new Set<() => void>()
  readonly #observer: QueriesObserver
  #stop: (() => void) | undefined
  #askedAt = -Infinity

  constructor(
    private readonly question: SharedQuestion,
    private readonly env: Environment,
  ) {
    this.#observer = new QueriesObserver(env.client, question.queries())
  }

  readonly get = (): readonly QueryObserverResult[] => this.#observer.getCurrentResult()

  readonly subscribe = (notify: () => void): (() => void) => {
    this.#listeners.add(notify)
    this.#ask()
    return () => {
      this.#listeners.delete(notify)
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = undefined
      this.env.onUnused()
    }
  }

  /** An observer fetches outdated answers when it starts, and not for components that join it later. */
  #ask(): void {
    const now = this.env.clock.elapsed()
    const isOld = now - this.#askedAt >= this.question.staleMs
    if (isOld) this.#askedAt = now
    if (this.#stop === undefined) {
      this.#stop = this.#observer.subscribe(notifyManager.batchCalls(() => this.#tell()))
      // Answers may have come since the observer was created, which it does not notice without a subscriber.
      this.#observer.setQueries(this.question.queries())
    } else if (isOld) for (const query of this.question.queries()) void this.env.client.prefetchQuery(query as never)
  }

  #tell(): void {
    for (const notify of this.#listeners) notify()
  }
}
