/** The rights of one user, shared by all who hold them: reviewed again and again, and forgotten when they grow old. */
import { type Clock, type EpochMs, formatTime, type Stop } from '@/lib/std/clock'
import type { Question, Scope, Verdict } from './access'
import { nameOfResource, REVIEWED } from './resources'
import type { Reviewer } from './reviewer'
import { type Grants, nothingBecause, scopeOf } from './scope'

export interface UserAccessOptions {
  reviewer: Reviewer
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  /** Namespaces in which there may be something to see. */
  namespaces: () => Promise<readonly string[]>
}

/** Reviewed at least this often, give or take a fifth. */
const EVERY_MS = 30_000
/** After a review that failed. */
const RETRY_MS = 3_000
/** So long the last complete review counts while the API server does not answer. */
const TRUSTED_MS = 5 * 60_000
const REMEMBERED_MS = 10_000
const MOST_VERDICTS = 500

type Granted = Map<string, 'all' | Set<string>>

export class UserAccess {
  readonly #options: UserAccessOptions
  readonly #handlers = new Set<(scope: Scope) => void>()
  readonly #verdicts = new Map<string, { at: EpochMs; verdict: Promise<Verdict> }>()
  #reviewer: Reviewer
  #grants: Grants | undefined
  #scope: Scope | undefined
  #reviewedAt: EpochMs = -Infinity
  #next: Stop | undefined
  /** Ends the trust in the last review, also while one that hangs is under way. */
  #expire: Stop | undefined
  #running: Promise<Scope> | undefined
  #again = false
  /** Why the API server could not be asked last. */
  #problem = 'it does not answer'
  #closed = false

  constructor(options: UserAccessOptions) {
    this.#options = options
    this.#reviewer = options.reviewer
  }

  get scope(): Scope | undefined {
    return this.#scope
  }

  /** Asks with this from now on: the same user, a newer token. */
  askWith(reviewer: Reviewer): void {
    this.#reviewer = reviewer
  }

  can(question: Question): Promise<Verdict> {
    const key = JSON.stringify([
      question.verb,
      question.group,
      question.resource,
      question.subresource,
      question.namespace,
      question.name,
    ])
    const known = this.#verdicts.get(key)
    const now = this.#options.clock.now()
    if (known && now - known.at < REMEMBERED_MS) return known.verdict
    const verdict = this.#reviewer.can(question)
    this.#verdicts.delete(key)
    this.#verdicts.set(key, { at: now, verdict })
    // What failed is asked again by the next one; the asker is told through the promise itself.
    verdict.catch(() => this.#verdicts.get(key)?.verdict === verdict && this.#verdicts.delete(key))
    const [oldest] = this.#verdicts.keys()
    if (this.#verdicts.size > MOST_VERDICTS && oldest !== undefined) this.#verdicts.delete(oldest)
    return verdict
  }

  whenReviewed(): Promise<Scope> {
    return this.#scope && this.#grants ? Promise.resolve(this.#scope) : this.review()
  }

  onScope(handler: (scope: Scope) => void): Stop {
    const own = (scope: Scope): void => handler(scope)
    this.#handlers.add(own)
    return () => void this.#handlers.delete(own)
  }

  /** Reviews everything now; one that is asked for meanwhile follows. Rejects when there was no answer. */
  review(): Promise<Scope> {
    if (this.#running) {
      this.#again = true
      return this.#running
    }
    this.#next?.()
    this.#verdicts.clear()
    this.#running = this.#reviewOnce().finally(() => this.#settle())
    return this.#running
  }

  /** Rights have changed somewhere: looks again, now. */
  refresh(): void {
    this.review().catch(() => undefined)
  }

  /** As `refresh`, where somebody asked for a scope before: of the others nothing is reviewed at all. */
  refreshIfReviewed(): void {
    this.#verdicts.clear()
    if (this.#running || this.#scope) this.refresh()
  }

  /** A namespace appeared: only that one is looked at. */
  async addNamespace(namespace: string): Promise<void> {
    const grants = this.#grants
    if (!grants || this.#running) return this.refreshIfReviewed()
    const names = await this.#reviewer.inNamespace(namespace, missing(grants))
    // Meanwhile all may have been reviewed, that namespace among them.
    if (this.#grants !== grants || names.length === 0) return
    this.#take(withNamespace(grants, namespace, names))
  }

  close(): void {
    this.#closed = true
    this.#next?.()
    this.#expire?.()
    this.#handlers.clear()
  }

  #settle(): void {
    this.#running = undefined
    if (this.#closed) return
    const wasAsked = this.#again
    this.#again = false
    if (wasAsked) return this.refresh()
    const { clock, random } = this.#options
    const isCurrent = clock.now() - this.#reviewedAt < EVERY_MS
    const wait = isCurrent ? EVERY_MS * (0.8 + 0.4 * random()) : RETRY_MS
    this.#next = clock.after(wait, () => this.refresh())
  }

  async #reviewOnce(): Promise<Scope> {
    try {
      const grants: Granted = new Map(await this.#reviewer.everywhere()) as Granted
      const open = missing(grants)
      const found =
        open.length === 0
          ? []
          : await Promise.all(
              (await this.#options.namespaces()).map(async (namespace) => ({
                namespace,
                names: await this.#reviewer.inNamespace(namespace, open),
              })),
            )
      for (const { namespace, names } of found) grant(grants, namespace, names)
      this.#trust()
      return this.#take(grants)
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error)
      throw error
    }
  }

  #trust(): void {
    const { clock } = this.#options
    this.#reviewedAt = clock.now()
    this.#problem = 'it does not answer'
    this.#expire?.()
    if (!this.#closed) this.#expire = clock.after(TRUSTED_MS, () => this.#distrust())
  }

  /** Nobody is shown anything on the strength of an old answer. */
  #distrust(): void {
    const since = formatTime(this.#reviewedAt)
    this.#grants = undefined
    this.#tell(nothingBecause(`The API server could not be asked for your rights since ${since} (${this.#problem}). Nothing is shown until it can be; this is tried again by itself.`))
  }

  #take(grants: Grants): Scope {
    this.#grants = grants
    const scope = scopeOf(grants)
    const isNew = scope.key !== this.#scope?.key || this.#scope.problem !== undefined
    if (isNew) this.#tell(scope)
    return this.#scope ?? scope
  }

  #tell(scope: Scope): void {
    if (this.#closed) return
    this.#scope = scope
    for (const handler of this.#handlers) handler(scope)
  }
}

/** What is not granted everywhere and might be somewhere. */
const missing = (grants: Grants) =>
  REVIEWED.filter((resource) => resource.namespaced && grants.get(nameOfResource(resource)) !== 'all')

function grant(grants: Granted, namespace: string, names: readonly string[]): void {
  for (const name of names) {
    const known = grants.get(name)
    if (known === 'all') continue
    grants.set(name, (known ?? new Set<string>()).add(namespace))
  }
}

function withNamespace(grants: Grants, namespace: string, names: readonly string[]): Grants {
  const next: Granted = new Map(
    [...grants].map(([name, granted]) => [name, granted === 'all' ? granted : new Set(granted)]),
  )
  grant(next, namespace, names)
  return next
}
