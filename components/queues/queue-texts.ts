/** The words of queues, pauses and amounts. */
import { formatBytes, formatCount, formatCpu } from '@/lib/format'
import type { State } from '@/lib/view/model'
import type { AmountView, HeldView, HoldViewState, HoldView, QueueView } from '@/lib/view/queue-model'

/** A shape, the word beside it, and what it means for those who hesitate. */
export interface Mark {
  state: State
  word: string
  meaning: string
}

/**
 * How true a pause is. Each state has a shape of its own, and none of them the disc of what is well: a queue that stands
 * still on purpose is not healthy, and one that was only asked to stand still does not stand still.
 */
const HOLD_MARKS: Record<HoldViewState, Mark> = {
  requested: { state: 'unknown', word: 'Requested', meaning: 'Asked for. Not everything is kept back yet.' },
  effective: { state: 'held', word: 'Effective', meaning: 'Nothing of this queue is placed while it lasts.' },
  leaking: { state: 'warn', word: 'Leaking', meaning: 'A workload that it keeps back was placed all the same.' },
  undone: { state: 'fail', word: 'Undone', meaning: 'Somebody else releases what it keeps back.' },
  resuming: { state: 'active', word: 'Resuming', meaning: 'Being lifted, a few workloads at a time.' },
}

/** The mark of a pause; of one that is being undone, with the name of who does it. */
export function holdMark({ state, undoneBy }: Pick<HoldView, 'state' | 'undoneBy'>): Mark {
  const mark = HOLD_MARKS[state]
  return state === 'undone' && undoneBy?.who !== undefined ? { ...mark, word: `Undone by ${undoneBy.who}` } : mark
}

/** All states of a pause, for filters. */
export const HOLD_STATES = Object.keys(HOLD_MARKS) as HoldViewState[]

export const STRATEGY_WORDS: Record<QueueView['strategy'], string> = {
  StrictFIFO: 'Strict order',
  BestEffortFIFO: 'Best-effort order',
}

export const STRATEGY_MEANING: Record<QueueView['strategy'], string> = {
  StrictFIFO: 'Nothing overtakes the head of the line.',
  BestEffortFIFO: 'What fits may pass what does not.',
}

/** What becomes of those who wait when their queue is deleted, as the end of that sentence. */
export const ON_DELETE_MEANING: Record<QueueView['onDelete'], string> = {
  Release: 'are released, and the scheduler places them',
  Hold: 'stay suspended until somebody resumes each of them',
}

const HELD_WORDS: Record<HeldView['by'], string> = {
  queue: 'Waits in line',
  hold: 'Queue on hold',
  suspended: 'Suspended',
}

/** What keeps a workload back, in two or three words. */
export const heldWord = ({ by }: Pick<HeldView, 'by'>): string => HELD_WORDS[by]

/** The resource of a quota, as people say it: `requests.cpu` is CPU. */
export function resourceWord(resource: string): string {
  const plain = withoutPrefix(resource)
  return plain === 'cpu' ? 'CPU' : plain
}

const withoutPrefix = (resource: string): string => resource.replace(/^(requests|limits)\./, '')

/** Resources that are counted in bytes. */
const IN_BYTES = /^(memory|storage|ephemeral-storage|hugepages-.+)$/

/** An amount in base units of its resource: `1.5`, `512 MiB`, `8`. */
export function formatAmount(resource: string, amount: number): string {
  const plain = withoutPrefix(resource)
  if (plain === 'cpu') return formatCpu(amount)
  return IN_BYTES.test(plain) ? formatBytes(amount) : formatCount(amount)
}

/** `4 CPU · 2 GiB memory`; `nothing` where nothing is asked for. */
export function demandWords(demand: readonly { resource: string; amount: number }[]): string {
  if (demand.length === 0) return 'nothing'
  return demand
    .map(({ resource, amount }) => `${formatAmount(resource, amount)} ${nounOf(resource, amount)}`)
    .join(' · ')
}

/** Counted resources in the singular where there is one. */
const nounOf = (resource: string, amount: number): string =>
  resource === 'replicas' && amount === 1 ? 'replica' : resourceWord(resource)

/** A share: `0%`, `12%`; below one percent with one digit more, so that little is not nothing. */
export function shareWords(part: number): string {
  const percent = part * 100
  return percent > 0 && percent < 1 ? `${Math.max(0.1, Number(percent.toFixed(1)))}%` : `${Math.round(percent)}%`
}

/** `1st`, `2nd`, `11th`, `23rd`. */
export function ordinal(position: number): string {
  const tens = position % 100
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][position % 10] ?? 'th')
  return `${formatCount(position)}${suffix}`
}

/** The resource that a queue takes most of, its part of the fleet, and its fair share, in one sentence. */
export function shareSentence({ resource, part, fair }: NonNullable<QueueView['share']>): string {
  const takes = `Takes ${shareWords(part)} of the ${resourceWord(resource)} that queues share`
  if (fair === undefined) return `${takes}.`
  const beyond = part > fair ? `, ${shareWords(part - fair)} beyond it` : ''
  return `${takes}; its fair share is ${shareWords(fair)}${beyond}.`
}

/** `3 of 4 CPU, 1 of it borrowed`. */
export function amountSentence({ resource, used, quota, borrowed }: AmountView): string {
  const limit = quota === undefined ? '' : ` of ${formatAmount(resource, quota)}`
  const lent = borrowed > 0 ? `, ${formatAmount(resource, borrowed)} of it borrowed` : ''
  return `${formatAmount(resource, used)}${limit} ${resourceWord(resource)}${lent}`
}
