/**
 * Releases over all lines: always the queue that has least for its weight, own quotas first, then what may be borrowed.
 */
import { because } from '../plan'
import { amountsText } from './amounts'
import type { Ledger } from './ledger'
import { type Line, OVERTAKING_WINDOW_MS } from './line'
import type { Release } from './plan-model'
import type { QueuedBinding } from './snapshot-model'
import { isHopeless, type WaitWhy } from './wait'

/** The first of a line, for which there has to stay room in the fleet. */
interface Claim {
  line: Line
  binding: QueuedBinding
  /** Who came later than this leaves it the room. */
  beforeMs: number
}

/**
 * So much longer may others pass a head with which its queue would have more than the part that its weight gives it.
 */
const IMMODEST = 6

interface Pass {
  ledger: Ledger
  lines: readonly Line[]
  claims: readonly Claim[]
  mayBorrow: boolean
  released: Release[]
  /** Told that somebody left room to a claim: when that one is out, there may be room for both. */
  onYield: () => void
}

/**
 * Releases what can go. Rounds are repeated until one releases nothing: then nothing that fits and may go is left, and
 * planning again after the releases gives none. Where nobody borrows and nobody yields to a claim, one round does.
 */
export function releaseInTurn(ledger: Ledger, lines: readonly Line[]): Release[] {
  const released: Release[] = [...releaseByName(ledger, lines)]
  const someoneBorrows = lines.some(({ queue }) => queue.limits?.borrowing !== undefined)
  for (;;) {
    const before = released.length
    for (const line of lines) rewind(ledger, line)
    let someoneYields = false
    const pass = { ledger, lines, claims: claimsOf(ledger, lines), released, onYield: () => { someoneYields = true } }
    runPhase({ ...pass, mayBorrow: false })
    if (!someoneYields && !someoneBorrows) return released
    for (const line of lines) reopenToBorrow(ledger, line)
    runPhase({ ...pass, mayBorrow: true })
    if (released.length === before) return released
  }
}

/** What people asked for by name goes first: only quotas can refuse it. */
function releaseByName(ledger: Ledger, lines: readonly Line[]): Release[] {
  const able = lines.filter(({ queue }) => !queue.invalid && !queue.missingQuota)
  return able.flatMap((line) => {
    const asked = line.candidates.filter(({ releaseRequested }) => releaseRequested)
    return asked.flatMap((binding) => releaseOne(ledger, line, binding) ?? [])
  })
}

function releaseOne(ledger: Ledger, line: Line, binding: QueuedBinding): Release | undefined {
  const { queue } = line
  const verdict = ledger.judgeQuota(queue, binding, true)
  if (!verdict.fits) return undefined
  const reason = because('Requested', `${binding.releaseRequested!.who} asked to release it.`)
  const release = { queue: queue.key, binding, borrows: verdict.borrows, reason }
  ledger.take(queue, binding)
  line.releaseByName(release)
  return release
}

function rewind(ledger: Ledger, line: Line): void {
  line.rewind()
  ledger.reserve(line.queue.key)
}

/** What the first needs whose own quota would let it go is kept from borrowers, whatever it waits for besides. */
function reopenToBorrow(ledger: Ledger, line: Line): void {
  const { queue } = line
  line.reopen()
  if (!queue.limits || line.isShut) return
  const first = line.candidates.find((binding) => line.mayBeOwed(binding) && isOwed(ledger, line, binding))
  ledger.reserve(queue.key, first?.demand)
}

function isOwed(ledger: Ledger, { queue }: Line, binding: QueuedBinding): boolean {
  const verdict = ledger.judgeQuota(queue, binding, false)
  if (!verdict.fits && verdict.why.code !== 'LentOut') return false
  return ledger.judgeCapacity(queue, binding) === undefined
}

/** Also of one that fits: whoever is poorer goes before it, and must not take the room that it waited for. */
function claimsOf(ledger: Ledger, lines: readonly Line[]): Claim[] {
  return lines.flatMap((line): Claim[] => {
    const { queue } = line
    const binding = line.open ? firstThatCan(ledger, line) : undefined
    if (!binding || queue.ignoresCapacity || !ledger.judgeQuota(queue, binding, true).fits) return []
    const isModest = ledger.shareWith(queue.key, binding.demand) <= ledger.fairPart(queue)
    return [{ line, binding, beforeMs: binding.sinceMs + OVERTAKING_WINDOW_MS * (isModest ? 1 : IMMODEST) }]
  })
}

/** In a strict line the head, whatever it waits for; else the first that is not without hope. */
function firstThatCan(ledger: Ledger, { queue, next, candidates }: Line): QueuedBinding | undefined {
  if (queue.strategy === 'StrictFIFO') return next
  return candidates.find((binding) => {
    const verdict = ledger.judgeQuota(queue, binding, true)
    const why = verdict.fits ? ledger.judgeCapacity(queue, binding) : verdict.why
    return why === undefined || !isHopeless(why)
  })
}

function runPhase(pass: Pass): void {
  for (let line = poorest(pass); line; line = poorest(pass)) releaseNext(pass, line)
}

/** The open line with the least for its weight; of equals the one whose next has priority, then the older one. */
function poorest({ lines, ledger }: Pass): Line | undefined {
  let [best, least]: [Line | undefined, number] = [undefined, Infinity]
  for (const line of lines) {
    if (!line.open) continue
    const weighted = ledger.share(line.queue.key).part / line.queue.weight
    if (!best || weighted < least || (weighted === least && goesBefore(line, best))) [best, least] = [line, weighted]
  }
  return best
}

function goesBefore(a: Line, b: Line): boolean {
  const [one, other] = [a.next!, b.next!]
  if (one.priority !== other.priority) return one.priority > other.priority
  return one.sinceMs !== other.sinceMs ? one.sinceMs < other.sinceMs : one.key < other.key
}

/** Goes down one line until something is released or the line is done for this phase. */
function releaseNext(pass: Pass, line: Line): void {
  const { ledger, released, mayBorrow } = pass
  for (let binding = line.next; binding; binding = line.next) {
    const verdict = judge(pass, line, binding)
    if (verdict.fits) {
      const release = { queue: line.queue.key, binding, borrows: verdict.borrows, reason: inTurn(verdict.borrows) }
      ledger.take(line.queue, binding)
      line.release(release)
      released.push(release)
      line.open = line.budget > 0 && line.next !== undefined
      return
    }
    line.refuse(binding, verdict.why)
    if (verdict.couldBorrow && !mayBorrow) break
    line.blocked ??= blockedBy(line, binding, verdict.why)
    if (line.queue.strategy === 'StrictFIFO') break
    line.at += 1
  }
  line.open = false
}

function inTurn(borrows: Release['borrows']): Release['reason'] {
  const text = amountsText(borrows)
  return text
    ? because('Borrows', `It is its turn, with ${text} that others leave unused.`)
    : because('InTurn', 'It is its turn, and it fits.')
}

/** In a strict line anything blocks; else only what has a chance to go when something gets free. */
function blockedBy({ queue }: Line, binding: QueuedBinding, why: WaitWhy): Line['blocked'] {
  if (queue.strategy !== 'StrictFIFO' && (isHopeless(why) || !('resource' in why))) return undefined
  return { binding, lacks: 'resource' in why ? why.resource : '' }
}

type Verdict = { fits: true; borrows: Release['borrows'] } | { fits: false; why: WaitWhy; couldBorrow: boolean }

function judge(pass: Pass, line: Line, binding: QueuedBinding): Verdict {
  const { queue } = line
  const { ledger } = pass
  const quota = ledger.judgeQuota(queue, binding, pass.mayBorrow)
  if (!quota.fits && !quota.couldBorrow) return quota
  const why = ledger.judgeCapacity(queue, binding) ?? yieldsTo(pass, line, binding)
  return why ? { fits: false, why, couldBorrow: false } : quota
}

function yieldsTo(pass: Pass, { queue, blocked }: Line, binding: QueuedBinding): WaitWhy | undefined {
  const { sinceMs, demand } = binding
  if (blocked && demand[blocked.lacks] && sinceMs > blocked.binding.sinceMs + OVERTAKING_WINDOW_MS) {
    return { code: 'YieldsToHead', head: blocked.binding.key }
  }
  if (queue.ignoresCapacity) return undefined
  for (const { line, binding: first, beforeMs } of pass.claims) {
    if (line.queue === queue || sinceMs <= beforeMs || !line.waits(first)) continue
    const resource = pass.ledger.crowdedOut(first, demand)
    if (resource === undefined) continue
    pass.onYield()
    return { code: 'YieldsToOtherQueue', resource }
  }
  return undefined
}
