/** The rights of one user, shared by all handles: reviewed periodically, and discarded when they become too old. */
import { message } from '@/lib/messages/message'
import { KubeError } from '@/lib/kube/errors'
import { type Clock, type EpochMs, formatTime, type Stop } from '@/lib/std/clock'
import type { Question, Scope, Verdict } from './access'
import { askAll } from './ask-all'
import type { Urgency } from './review-limiter'
import { NamespaceRights, needsNoNamespaces } from './namespace-rights'
import type { Reviewer } from './reviewer'
import { planAgain, planFirst, type RoundFacts, type RoundPlan } from './round-plan'
import { emptyScope, scopeOf } from './scope'
import type { AffectedNamespaces } from './rbac-watcher'
import { Verdicts } from './verdicts'

export interface UserAccessOptions {
  reviewer: Reviewer
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  /** Namespaces that may have content; those that do have it come first. */
  namespaces: () => Promise<readonly string[]>
  /** Namespaces in which RBAC binds a role to this user; undefined while unknown. */
  namedIn: () => ReadonlySet<string> | undefined
  /** When a namespace was created, if known. */
  createdAt: (namespace: string) => EpochMs | undefined
}

/** Time between rounds, with a jitter of a fifth. */
const EVERY_MS = 30_000
/** Time after a round with failures; doubles with each. */
const RETRY_MS = 3_000
/** Within this time after a failure, the same failure is returned. */
const FAILED_JUST_NOW_MS = 1_000
/** How long the last answer counts while the API server gives no new one. */
const RIGHTS_TTL_MS = 5 * 60_000
/** How long it counts after the API server refused the review itself: this user can list nothing then either. */
const REFUSED_MS = 10_000
/** Concurrent reviews of namespaces of one user. */
const AT_ONCE = 6
/** More failed namespaces than this mean that the API server is at fault, not the namespaces. */
const MAX_FAILURES = 5
/** Losses within this time are reported together. */
const LOSS_MS = 20
/** While namespaces are still being found, the scope is published at growing intervals. */
const FIND_MS = 250
const FIND_AT_MOST_MS = 4_000

export class UserAccess {
  readonly #options: UserAccessOptions
  readonly #handlers = new Set<(scope: Scope) => void>()
  readonly #verdicts: Verdicts
  readonly #rights = new NamespaceRights()
  #reviewer: Reviewer
  /** Names of the resources that may be listed everywhere; undefined while unknown. */
  #everywhere: ReadonlySet<string> | undefined
  /** The latest question about `#everywhere`. */
  #asking: Promise<void> | undefined
  /** True once every required namespace was reviewed. */
  #isWhole = false
  /** Counts how often a grant for all namespaces was lost. */
  #shrinks = 0
  /** False once an authorizer without listed rules took part, or the user may do more than RBAC grants. */
  #isRbacAlone = true
  #scope: Scope | undefined
  #reviewedAt: EpochMs = -Infinity
  #next: Stop | undefined
  /** Discards the last answers when they are too old, even while a question hangs. */
  #expire: Stop | undefined
  #publishing: { at: EpochMs; stop: Stop } | undefined
  #finds = 0
  #running: Promise<Scope> | undefined
  #again = false
  #failures = 0
  #failed: { at: EpochMs; error: unknown } | undefined
  #refusedSince: EpochMs | undefined
  #closed = false

  constructor(options: UserAccessOptions) {
    this.#options = options
    this.#reviewer = options.reviewer
    this.#verdicts = new Verdicts(options.clock)
  }

  get scope(): Scope | undefined {
    return this.#scope
  }

  /** Switches to this reviewer: the same user with a newer token. */
  askWith(reviewer: Reviewer): void {
    this.#reviewer = reviewer
  }

  can(question: Question): Promise<Verdict> {
    return this.#verdicts.of(question, () => this.#reviewer.can(question))
  }

  whenReviewed(): Promise<Scope> {
    if (this.#scope && this.#isWhole) return Promise.resolve(this.#scope)
    const sinceFailure = this.#failed ? this.#options.clock.now() - this.#failed.at : Infinity
    const isJustNow = sinceFailure >= 0 && sinceFailure < FAILED_JUST_NOW_MS
    return isJustNow && !this.#running ? Promise.reject(this.#failed?.error as Error) : this.#joinReview()
  }

  onScope(handler: (scope: Scope) => void): Stop {
    const own = (scope: Scope): void => handler(scope)
    this.#handlers.add(own)
    return () => void this.#handlers.delete(own)
  }

  /** Notes that permissions may have changed there and reviews them now, unless no scope was requested yet. */
  invalidate(affected: AffectedNamespaces): void {
    this.#verdicts.clear()
    if (!this.#running && !this.#scope) return
    if (affected === 'all') return this.#refresh()
    if (affected.everywhere) this.#now(this.#askEverywhere('urgent'))
    for (const namespace of affected.namespaces) this.#now(this.#askIn(namespace, 'urgent'))
  }

  /** Reviews a new namespace only, unless RBAC is known to name the user only elsewhere. */
  addNamespace(namespace: string): void {
    if (!this.#everywhere || (this.#isRbacAlone && this.#options.namedIn()?.has(namespace) === false)) return
    this.#now(this.#askIn(namespace, 'background'))
  }

  /** Discards the rights in a deleted namespace. A new namespace with the same name is a different one. */
  removeNamespace(namespace: string): void {
    this.#verdicts.clear()
    if (this.#rights.forget(namespace)) this.#publish()
  }

  close(): void {
    this.#closed = true
    this.#next?.()
    this.#expire?.()
    this.#publishing?.stop()
    this.#handlers.clear()
  }

  #refresh(): void {
    if (this.#running) this.#again = true
    // A failure is noted and the review repeats by itself.
    else this.#joinReview().catch(() => undefined)
  }

  /** Runs a review outside of a round. A failure is retried soon. */
  #now(asking: Promise<void>): void {
    asking.catch((error: unknown) => {
      this.#onFailure(error)
      if (this.#running) this.#again = true
      else this.#settle()
    })
  }

  #joinReview(): Promise<Scope> {
    this.#running ??= this.#review().finally(() => {
      this.#running = undefined
      this.#settle()
    })
    return this.#running
  }

  /** Schedules the next round. */
  #settle(): void {
    this.#next?.()
    if (this.#closed) return
    const wasAsked = this.#again
    this.#again = false
    const { clock, random } = this.#options
    if (wasAsked && this.#failures === 0) return this.#refresh()
    const wait = this.#failures === 0 ? EVERY_MS : Math.min(EVERY_MS, RETRY_MS * 2 ** (this.#failures - 1))
    const atLeast = this.#failures === 0 ? 0 : pauseAskedFor(this.#failed?.error)
    this.#next = clock.after(Math.max(atLeast, wait * (0.8 + 0.4 * random())), () => this.#refresh())
  }

  async #review(): Promise<Scope> {
    this.#next?.()
    try {
      await this.#askEverywhere(this.#isWhole ? 'background' : 'urgent')
      const shrinks = this.#shrinks
      await this.#askNamespaces()
      this.#isWhole = shrinks === this.#shrinks
      this.#finds = 0
      this.#failures = this.#rights.owed().length === 0 ? 0 : this.#failures + 1
      this.#dropOld()
    } catch (error) {
      this.#onFailure(error)
      throw error
    } finally {
      this.#publish()
    }
    if (!this.#scope) throw new Error('the rights of a user were dropped while they were reviewed')
    return this.#scope
  }

  async #askNamespaces(): Promise<void> {
    if (this.#needsNoNamespaces()) return this.#rights.clear()
    if (this.#isWhole) return this.#askGroups(planAgain(await this.#facts()), 'background')
    const wasAlone = this.#isRbacAlone
    await this.#askGroups(planFirst(await this.#facts()), 'urgent')
    // The answers showed another authorizer, so the remaining namespaces have to be reviewed too.
    if (wasAlone && !this.#isRbacAlone) await this.#askGroups(planFirst(await this.#facts()), 'background')
  }

  async #facts(): Promise<RoundFacts> {
    const all = await this.#options.namespaces()
    return { all, named: this.#options.namedIn(), isRbacAlone: this.#isRbacAlone, rights: this.#rights }
  }

  /** A large group is reviewed in the background. */
  async #askGroups(plan: RoundPlan, urgency: Urgency): Promise<void> {
    const options = { atOnce: AT_ONCE, mostFailures: MAX_FAILURES, isOver: () => this.#closed }
    for (const [at, group] of plan.entries()) {
      if (at > 0) this.#publish()
      await askAll(group, options, (namespace) => this.#askIn(namespace, at === 0 ? urgency : 'background'))
    }
  }

  /** Resolves with the answer to the latest question when several are pending. */
  #askEverywhere(urgency: Urgency): Promise<void> {
    this.#verdicts.clear()
    const asking: Promise<void> = this.#reviewer.everywhere(urgency).then(
      (names) => (this.#asking === asking ? this.#takeEverywhere(names) : this.#asking),
      (error: unknown) => {
        if (this.#asking === asking || !this.#asking) throw error
        return this.#asking
      },
    )
    this.#asking = asking
    return asking
  }

  #takeEverywhere(names: readonly string[]): void {
    if (this.#closed) return
    const before = this.#everywhere
    this.#everywhere = new Set(names)
    this.#markReviewed()
    if (![...(before ?? [])].every((name) => this.#everywhere?.has(name))) this.#lookElsewhere()
    else if (before && before.size < names.length) this.#publish()
  }

  /** A kind that may no longer be listed everywhere may still be listed in namespaces that were not reviewed. */
  #lookElsewhere(): void {
    this.#isWhole = false
    this.#shrinks += 1
    this.#publish()
    this.#refresh()
  }

  async #askIn(namespace: string, urgency: Urgency): Promise<void> {
    if (this.#closed || this.#needsNoNamespaces()) return
    const counts = this.#rights.ask(namespace)
    const { clock, namedIn } = this.#options
    try {
      const { names, isEnumerable } = await this.#reviewer.inNamespace(namespace, urgency)
      if (!counts() || this.#closed) return
      const isUnexplained = namedIn()?.has(namespace) === false && !names.every((name) => this.#everywhere?.has(name))
      if (!isEnumerable || isUnexplained) this.#isRbacAlone = false
      this.#onChange(this.#rights.note(namespace, names, clock.now()))
    } catch (error) {
      if (counts()) this.#rights.fail(namespace, clock.now())
      throw error
    }
  }

  #onChange(change: 'more' | 'less' | 'same'): void {
    if (change === 'same') return
    const isFindingMore = change === 'more' && !this.#isWhole
    this.#publishWithin(isFindingMore ? Math.min(FIND_AT_MOST_MS, FIND_MS * 2 ** this.#finds) : LOSS_MS)
  }

  #needsNoNamespaces(): boolean {
    return this.#everywhere !== undefined && needsNoNamespaces(this.#everywhere)
  }

  #onFailure(error: unknown): void {
    const { clock } = this.#options
    const at = clock.now()
    this.#failures += 1
    this.#failed = { at, error }
    this.#dropOld()
    const isRefused = error instanceof KubeError && (error.code === 401 || error.code === 403)
    if (!isRefused) this.#refusedSince = undefined
    else if (at - (this.#refusedSince ??= at) >= REFUSED_MS) this.#dropRights()
  }

  #dropOld(): void {
    if (this.#rights.dropFailingSince(this.#options.clock.now() - RIGHTS_TTL_MS)) this.#publish()
  }

  #markReviewed(): void {
    const { clock } = this.#options
    this.#reviewedAt = clock.now()
    this.#refusedSince = undefined
    this.#failed = undefined
    this.#expire?.()
    if (!this.#closed) this.#expire = clock.after(RIGHTS_TTL_MS, () => this.#dropRights())
  }

  /** Data is never shown on the strength of an outdated answer. */
  #dropRights(): void {
    const since = formatTime(this.#reviewedAt)
    this.#everywhere = undefined
    this.#isWhole = false
    this.#rights.clear()
    this.#notify(
      emptyScope(
        this.#failed === undefined
          ? message('api.live.rightsSilent', { since })
          : message('api.live.rightsFailed', { since, cause: messageOf(this.#failed.error) }),
      ),
    )
  }

  #publishWithin(ms: number): void {
    const { clock } = this.#options
    const at = clock.now() + ms
    if (this.#publishing && this.#publishing.at <= at) return
    this.#publishing?.stop()
    this.#publishing = {
      at,
      stop: clock.after(ms, () => {
        this.#finds += 1
        this.#publish()
      }),
    }
  }

  #publish(): void {
    this.#publishing?.stop()
    this.#publishing = undefined
    if (!this.#everywhere) return
    const { createdAt } = this.#options
    const scope: Scope = { ...scopeOf(this.#rights.grants(this.#everywhere), !this.#isWhole), createdAt }
    if (scope.key !== this.#scope?.key || this.#scope.problem !== undefined) this.#notify(scope)
  }

  #notify(scope: Scope): void {
    if (this.#closed) return
    this.#scope = scope
    for (const handler of this.#handlers) handler(scope)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns how long the API server asked clients to wait (`retryAfterSeconds`), in milliseconds. */
const pauseAskedFor = (error: unknown): number =>
  error instanceof KubeError ? (error.status.details?.retryAfterSeconds ?? 0) * 1000 : 0
