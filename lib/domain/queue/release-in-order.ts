/**
 * Admits workloads over all queues: always from the queue with the smallest weighted share, first within own quotas,
 * then by borrowing.
 */
import { message } from '@/lib/messages/message'
import { because } from '../plan'
import { amountMessages } from './amount-message'
import type { ResourceUsage } from './resource-usage'
import { type PendingList, OVERTAKING_WINDOW_MS } from './pending-list'
import type { Release } from './plan-model'
import type { QueuedBinding } from './snapshot-model'
import { isBeyondLimits, type WaitReason } from './wait-reason'

/** The first workload of a list, for which capacity is reserved. */
interface Claim {
  list: PendingList
  binding: QueuedBinding
  /** Workloads queued after this time yield to the claim. */
  beforeMs: number
}

/** Extends the overtaking window for a first workload that would take its queue above its fair share. */
const LARGE_SHARE_FACTOR = 6

interface Pass {
  usage: ResourceUsage
  lists: readonly PendingList[]
  claims: readonly Claim[]
  mayBorrow: boolean
  released: Release[]
  /** Called when a workload yields to a claim: after the claim is admitted, there may be capacity for both. */
  onYield: () => void
}

/**
 * Admits all workloads that may be admitted. Rounds repeat until one admits none, so that planning again after the
 * admissions yields none. Without borrowing and claims, one round suffices.
 */
export function releaseInOrder(usage: ResourceUsage, lists: readonly PendingList[]): Release[] {
  const released: Release[] = [...releaseByName(usage, lists)]
  const anyBorrows = lists.some(({ queue }) => queue.limits?.borrowing !== undefined)
  for (;;) {
    const before = released.length
    for (const list of lists) rewind(usage, list)
    let anyYields = false
    const pass = {
      usage,
      lists,
      claims: claimsOf(usage, lists),
      released,
      onYield: () => {
        anyYields = true
      },
    }
    runPhase({ ...pass, mayBorrow: false })
    if (!anyYields && !anyBorrows) return released
    for (const list of lists) reopenToBorrow(usage, list)
    runPhase({ ...pass, mayBorrow: true })
    if (released.length === before) return released
  }
}

/** Workloads that users requested by name are admitted first; only quotas can prevent that. */
function releaseByName(usage: ResourceUsage, lists: readonly PendingList[]): Release[] {
  const able = lists.filter(({ queue }) => !queue.invalid && !queue.missingQuota)
  return able.flatMap((list) => {
    const asked = list.candidates.filter(({ releaseRequested }) => releaseRequested)
    return asked.flatMap((binding) => releaseOne(usage, list, binding) ?? [])
  })
}

function releaseOne(usage: ResourceUsage, list: PendingList, binding: QueuedBinding): Release | undefined {
  const { queue } = list
  const verdict = usage.checkQuota(queue, binding, true)
  if (!verdict.fits) return undefined
  const reason = because(message('queues.step.Requested', { who: binding.releaseRequested!.who }))
  const release = { queue: queue.key, binding, borrows: verdict.borrows, reason }
  usage.take(queue, binding)
  list.releaseByName(release)
  return release
}

function rewind(usage: ResourceUsage, list: PendingList): void {
  list.rewind()
  usage.reserve(list.queue.key)
}

/**
 * Reserves the demand of the first workload that its own quota would admit, so that borrowers cannot use it, whatever
 * else the workload waits for.
 */
function reopenToBorrow(usage: ResourceUsage, list: PendingList): void {
  const { queue } = list
  list.reopen()
  if (!queue.limits || list.isShut) return
  const first = list.firstOwed((binding) => isOwed(usage, list, binding))
  usage.reserve(queue.key, first?.demand)
}

function isOwed(usage: ResourceUsage, { queue }: PendingList, binding: QueuedBinding): boolean {
  const verdict = usage.checkQuota(queue, binding, false)
  if (!verdict.fits && verdict.why.code !== 'QuotaLentOut') return false
  return usage.checkCapacity(queue, binding) === undefined
}

/**
 * Includes workloads that fit: a queue with a smaller share is served first, and must not take the capacity that they
 * waited for.
 */
function claimsOf(usage: ResourceUsage, lists: readonly PendingList[]): Claim[] {
  return lists.flatMap((list): Claim[] => {
    const { queue } = list
    const binding = list.open ? firstThatCan(usage, list) : undefined
    if (!binding || queue.ignoresCapacity || !usage.checkQuota(queue, binding, true).fits) return []
    const isWithinFairShare = usage.shareWith(queue.key, binding.demand) <= usage.fairPart(queue)
    return [
      {
        list,
        binding,
        beforeMs: binding.sinceMs + OVERTAKING_WINDOW_MS * (isWithinFairShare ? 1 : LARGE_SHARE_FACTOR),
      },
    ]
  })
}

/** Returns the head of a StrictFIFO list in any case; otherwise the first workload within the limits. */
function firstThatCan(usage: ResourceUsage, { queue, next, candidates }: PendingList): QueuedBinding | undefined {
  if (queue.strategy === 'StrictFIFO') return next
  return candidates.find((binding) => {
    const verdict = usage.checkQuota(queue, binding, true)
    const why = verdict.fits ? usage.checkCapacity(queue, binding) : verdict.why
    return why === undefined || !isBeyondLimits(why)
  })
}

function runPhase(pass: Pass): void {
  for (let list = leastServed(pass); list; list = leastServed(pass)) releaseNext(pass, list)
}

/**
 * Returns the open list with the smallest weighted share. Ties go to the list whose next workload has priority, then to
 * the older one.
 */
function leastServed({ lists, usage }: Pass): PendingList | undefined {
  let [best, least]: [PendingList | undefined, number] = [undefined, Infinity]
  for (const list of lists) {
    if (!list.open) continue
    const weighted = usage.share(list.queue.key).part / list.queue.weight
    if (!best || weighted < least || (weighted === least && goesBefore(list, best))) [best, least] = [list, weighted]
  }
  return best
}

function goesBefore(a: PendingList, b: PendingList): boolean {
  const [one, other] = [a.next!, b.next!]
  if (one.priority !== other.priority) return one.priority > other.priority
  return one.sinceMs !== other.sinceMs ? one.sinceMs < other.sinceMs : one.key < other.key
}

/** Advances in one list until a workload is admitted or the list is finished for this phase. */
function releaseNext(pass: Pass, list: PendingList): void {
  const { usage, released, mayBorrow } = pass
  for (let binding = list.next; binding; binding = list.next) {
    const verdict = judge(pass, list, binding)
    if (verdict.fits) {
      const release = { queue: list.queue.key, binding, borrows: verdict.borrows, reason: inOrder(verdict.borrows) }
      usage.take(list.queue, binding)
      list.release(release)
      released.push(release)
      list.open = list.budget > 0 && list.next !== undefined
      return
    }
    list.refuse(verdict.why)
    if (verdict.couldBorrow && !mayBorrow) break
    list.blocked ??= blockedBy(list, binding, verdict.why)
    if (list.queue.strategy === 'StrictFIFO') break
    list.advance()
  }
  list.open = false
}

function inOrder(borrows: Release['borrows']): Release['reason'] {
  const amounts = amountMessages(borrows)
  return because(amounts.length > 0 ? message('queues.step.Borrows', { amounts }) : message('queues.step.InOrder'))
}

/** In a StrictFIFO list, any reason blocks; otherwise only a lack of resources that may become free. */
function blockedBy({ queue }: PendingList, binding: QueuedBinding, why: WaitReason): PendingList['blocked'] {
  if (queue.strategy !== 'StrictFIFO' && (isBeyondLimits(why) || !('resource' in why))) return undefined
  return { binding, lacks: 'resource' in why ? why.resource : '' }
}

type Verdict = { fits: true; borrows: Release['borrows'] } | { fits: false; why: WaitReason; couldBorrow: boolean }

function judge(pass: Pass, list: PendingList, binding: QueuedBinding): Verdict {
  const { queue } = list
  const { usage } = pass
  const quota = usage.checkQuota(queue, binding, pass.mayBorrow)
  if (!quota.fits && !quota.couldBorrow) return quota
  const why = usage.checkCapacity(queue, binding) ?? yieldsTo(pass, list, binding)
  return why ? { fits: false, why, couldBorrow: false } : quota
}

function yieldsTo(pass: Pass, { queue, blocked }: PendingList, binding: QueuedBinding): WaitReason | undefined {
  const { sinceMs, demand } = binding
  if (blocked && demand[blocked.lacks] && sinceMs > blocked.binding.sinceMs + OVERTAKING_WINDOW_MS) {
    return { code: 'YieldsToHead', head: blocked.binding.key }
  }
  if (queue.ignoresCapacity) return undefined
  for (const { list, binding: first, beforeMs } of pass.claims) {
    if (list.queue === queue || sinceMs <= beforeMs || !list.waits(first)) continue
    const resource = pass.usage.contendedResource(first, demand)
    if (resource === undefined) continue
    pass.onYield()
    return { code: 'YieldsToOtherQueue', resource }
  }
  return undefined
}
