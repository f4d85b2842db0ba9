/** Tracks the usage of each queue during planning, and checks whether another workload fits quota and capacity. */
import { REPLICAS } from './amount-message'
import { addTo, type Amounts, NOTHING } from './amounts'
import { rolesOf } from './binding-roles'
import type { QueuedBinding, QueueFacts, QueueLimits, QueueSnapshot } from './snapshot-model'
import type { Borrowing, WaitReason } from './wait-reason'

interface Account {
  queue: QueueFacts
  used: Record<string, number>
  share: { resource: string; part: number }
  /** Demand of this queue's first pending workload, which is not lent to other queues. */
  reserved: Amounts
  /** By demand, with and without borrowing. */
  checks: { borrowing: Answers<AdmissionCheck>; own: Answers<AdmissionCheck> }
}

/**
 * Answers about demands until the usage changes. Most pending workloads of a queue demand the same as another one, and
 * equal demands are one object as a rule.
 */
class Answers<T> {
  readonly #known = new Map<Amounts, T>()
  #of = 0

  /** `version` counts the changes of the usage. */
  about(demand: Amounts, version: number, answer: () => T): T {
    if (version !== this.#of) this.#known.clear()
    this.#of = version
    const known = this.#known.get(demand)
    if (known !== undefined) return known
    const found = answer()
    this.#known.set(demand, found)
    return found
  }
}

/** Whether a binding fits, and what it would borrow. */
export type AdmissionCheck = { fits: true; borrows: Amounts } | { fits: false; why: WaitReason; couldBorrow: boolean }

const fitting: AdmissionCheck = { fits: true, borrows: NOTHING }
const no = (why: WaitReason, couldBorrow = false): AdmissionCheck => ({ fits: false, why, couldBorrow })

export class ResourceUsage {
  readonly #accounts = new Map<string, Account>()
  readonly #capacity: Amounts
  readonly #offered: Amounts
  readonly #taken: Record<string, number>
  /** Sum of all quotas by resource, and the usage that counts against it. */
  readonly #pool: Record<string, number> = {}
  readonly #pooled: Record<string, number> = {}
  readonly #totals: Amounts
  readonly #weights: number
  /** Counts changes of what is used or reserved. */
  #version = 0
  readonly #lacks = new Answers<WaitReason | 'nothing'>()

  constructor({ queues, capacity, offered, taken }: QueueSnapshot) {
    this.#capacity = capacity
    this.#offered = offered
    this.#taken = { ...taken }
    for (const queue of queues) this.#open(queue)
    this.#totals = this.#sharedTotals(queues)
    for (const account of this.#accounts.values()) account.share = this.#dominant(account.used)
    this.#weights = queues.filter(isActive).reduce((sum, { weight }) => sum + weight, 0)
  }

  used(key: string): Amounts {
    return this.#accounts.get(key)?.used ?? NOTHING
  }

  /** Returns the usage of a queue beyond its own quota. */
  borrowed(key: string): Amounts {
    const account = this.#accounts.get(key)
    const hard = account?.queue.limits?.hard ?? NOTHING
    return Object.fromEntries(
      Object.keys(hard)
        .map((name) => [name, Math.max(0, (account!.used[name] ?? 0) - hard[name]!)] as const)
        .filter(([, amount]) => amount > 0),
    )
  }

  share(key: string): { resource: string; part: number } {
    return this.#accounts.get(key)?.share ?? { resource: REPLICAS, part: 0 }
  }

  /** Returns the fair share of a queue by its weight, among active queues and itself. */
  fairPart(queue: QueueFacts): number {
    return queue.weight / (this.#weights + (isActive(queue) ? 0 : queue.weight))
  }

  /** Returns the dominant share that a queue would have with one more binding. */
  shareWith(key: string, demand: Amounts): number {
    const used = { ...this.used(key) }
    addTo(used, demand)
    return this.#dominant(used).part
  }

  /** Checks the quotas only, not capacity. */
  checkQuota({ key, limits }: QueueFacts, { demand }: QueuedBinding, mayBorrow: boolean): AdmissionCheck {
    if (!limits) return fitting
    const account = this.#accounts.get(key)!
    const answers = account.checks[mayBorrow ? 'borrowing' : 'own']
    return answers.about(demand, this.#version, () => this.#checkQuotaOf(account, limits, demand, mayBorrow))
  }

  #checkQuotaOf(account: Account, limits: QueueLimits, demand: Amounts, mayBorrow: boolean): AdmissionCheck {
    const borrows: Record<string, number> = {}
    for (const resource in demand) {
      const hard = limits.hard[resource]
      if (hard === undefined) continue
      const needs = demand[resource]!
      const left = hard - (account.used[resource] ?? 0)
      const refused = this.#refusedBy({ account, resource, needs, left, hard, mayBorrow })
      if (refused) return refused
      if (needs > left) borrows[resource] = needs - Math.max(0, left)
    }
    return { fits: true, borrows }
  }

  /** Returns why the fleet lacks capacity; undefined if it does not, or if capacity is unknown. */
  checkCapacity({ ignoresCapacity }: QueueFacts, { demand }: QueuedBinding): WaitReason | undefined {
    if (ignoresCapacity) return undefined
    const lack = this.#lacks.about(demand, this.#version, () => this.#lackOf(demand) ?? 'nothing')
    return lack === 'nothing' ? undefined : lack
  }

  #lackOf(demand: Amounts): WaitReason | undefined {
    for (const resource in demand) {
      const most = this.#offered[resource]
      const needs = demand[resource]!
      if (most === undefined) continue
      if (needs > most) return { code: 'BeyondCapacity', resource, needs, most }
      const free = Math.max(0, (this.#capacity[resource] ?? 0) - (this.#taken[resource] ?? 0))
      if (needs > free) return { code: 'NoCapacity', resource, needs, free }
    }
    return undefined
  }

  /** Returns the resource that a binding would lack if `demand` were used too; undefined if both fit. */
  contendedResource(binding: QueuedBinding, demand: Amounts): string | undefined {
    return Object.keys(binding.demand).find((resource) => {
      if (this.#offered[resource] === undefined || !demand[resource]) return false
      const left = (this.#capacity[resource] ?? 0) - (this.#taken[resource] ?? 0) - demand[resource]
      return binding.demand[resource]! > left
    })
  }

  /** Reserves the demand of a queue's first pending workload, as far as its quota allows. */
  reserve(key: string, head: Amounts = NOTHING): void {
    this.#version += 1
    this.#accounts.get(key)!.reserved = head
  }

  /** Counts an admission. */
  take({ key, limits }: QueueFacts, { demand }: QueuedBinding): void {
    const account = this.#accounts.get(key)!
    this.#version += 1
    this.#pooledOf(account, -1)
    addTo(account.used, demand)
    this.#pooledOf(account, 1)
    addTo(this.#taken, demand)
    account.share = this.#dominant(account.used)
    if (limits) account.reserved = NOTHING
  }

  #open(queue: QueueFacts): void {
    const used: Record<string, number> = {}
    for (const { demand } of rolesOf(queue.bindings).counted) addTo(used, demand)
    const checks = { borrowing: new Answers<AdmissionCheck>(), own: new Answers<AdmissionCheck>() }
    const account = { queue, used, share: { resource: REPLICAS, part: 0 }, reserved: NOTHING, checks }
    this.#accounts.set(queue.key, account)
    if (queue.invalid || !queue.limits) return
    addTo(this.#pool, queue.limits.hard)
    this.#pooledOf(account, 1)
  }

  /** Usage beyond a quota without borrowing does not count against other queues. */
  #pooledOf({ queue: { limits, invalid }, used }: Account, sign: 1 | -1): void {
    if (!limits || invalid) return
    for (const name in limits.hard) {
      const counts = Math.min(used[name] ?? 0, limits.hard[name]! + borrowingLimit(limits.borrowing, name))
      this.#pooled[name] = (this.#pooled[name] ?? 0) + sign * counts
    }
  }

  #refusedBy({ account, resource, needs, left, hard, mayBorrow }: QuotaQuestion): AdmissionCheck | undefined {
    const free = (this.#pool[resource] ?? 0) - (this.#pooled[resource] ?? 0)
    if (needs <= left) {
      return needs <= free ? undefined : no({ code: 'QuotaLentOut', resource, needs, free: Math.max(0, free) })
    }
    const limit = borrowingLimit(account.queue.limits!.borrowing, resource)
    const most = Math.min(hard + limit, Math.max(hard, this.#pool[resource] ?? 0))
    if (needs > most) return no({ code: 'BeyondQuota', resource, needs, most })
    const over = (borrowing: Borrowing, could = false) =>
      no({ code: 'OverQuota', resource, needs, left, hard, borrowing }, could)
    if (limit === 0) return over({ may: 'nothing' })
    const mayStill = Math.max(0, limit + Math.min(0, left))
    if (needs - Math.max(0, left) > mayStill) return over({ may: 'limit', left: mayStill })
    const lendable = free - this.#reservedByOthers(account, resource)
    if (needs > lendable) return over({ may: 'others', left: Math.max(0, lendable - Math.max(0, left)) })
    return mayBorrow ? undefined : over({ may: 'others', left: free }, true)
  }

  #reservedByOthers(account: Account, resource: string): number {
    let sum = 0
    for (const other of this.#accounts.values()) if (other !== account) sum += other.reserved[resource] ?? 0
    return sum
  }

  #dominant(used: Amounts): { resource: string; part: number } {
    const [first = REPLICAS] = Object.keys(this.#totals)
    let dominant = { resource: first, part: 0 }
    for (const resource in this.#totals) {
      const part = (used[resource] ?? 0) / this.#totals[resource]!
      if (part > dominant.part) dominant = { resource, part }
    }
    return dominant
  }

  /**
   * Returns the totals of which shares are parts: the fleet's allocatable resources, or the sum of the quotas if all
   * queues limit the resource to less or no cluster reports it. If no resource is known, the number of desired and used
   * replicas.
   */
  #sharedTotals(queues: readonly QueueFacts[]): Amounts {
    const valid = queues.filter(({ invalid }) => !invalid)
    const totals: Record<string, number> = { ...this.#offered }
    for (const [resource, sum] of Object.entries(this.#pool)) {
      const limited = valid.every(({ limits }) => limits?.hard[resource] !== undefined)
      if (totals[resource] === undefined || (limited && sum < totals[resource])) totals[resource] = sum
    }
    const known = Object.entries(totals).filter(([, amount]) => amount > 0)
    if (known.length > 0) return Object.fromEntries(known)
    const replicas = valid
      .flatMap(({ bindings }) => bindings)
      .reduce((sum, { demand }) => sum + (demand[REPLICAS] ?? 0), 0)
    return replicas > 0 ? { [REPLICAS]: replicas } : NOTHING
  }
}

interface QuotaQuestion {
  account: Account
  resource: string
  needs: number
  left: number
  hard: number
  mayBorrow: boolean
}

/** Infinity: unlimited. */
function borrowingLimit(borrowing: NonNullable<QueueFacts['limits']>['borrowing'], resource: string): number {
  if (!borrowing) return 0
  return borrowing === 'everything' ? Infinity : (borrowing[resource] ?? 0)
}

function isActive({ invalid, deleting, bindings }: QueueFacts): boolean {
  const { waiting, counted } = rolesOf(bindings)
  return !invalid && !deleting && waiting.length + counted.length > 0
}
