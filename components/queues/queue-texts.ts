/** Texts of queues, holds and amounts that several parts of the pages show. */
import { message, type Text } from '@/lib/messages'
import type { State } from '@/lib/view/model'
import type { AmountView, HoldView, HoldViewState, PendingView, QueueView } from '@/lib/view/queue-model'
import { amountMessage, figureOf, resourceName, usageMessage } from '@/lib/view/resource-amounts'

/** A shape, the word beside it, and what it means. */
export interface Mark {
  state: State
  word: string
  meaning: string
}

/** Each state of a hold has a shape of its own. None has that of a healthy object: a held queue is not healthy. */
const HOLD_SHAPES: Record<HoldViewState, State> = {
  requested: 'unknown',
  effective: 'held',
  leaking: 'warn',
  undone: 'fail',
  resuming: 'active',
}

/** All states of a hold. */
export const HOLD_STATES = Object.keys(HOLD_SHAPES) as HoldViewState[]

/** The mark of a hold; of one that is undone, with the name of who did it. */
export function holdMark(text: Text, { state, undoneBy }: Pick<HoldView, 'state' | 'undoneBy'>): Mark {
  const who = state === 'undone' ? undoneBy?.who : undefined
  return {
    state: HOLD_SHAPES[state],
    word: who === undefined ? text(`queues.holdState.${state}`) : text('queues.holdState.undoneBy', { who }),
    meaning: text(`queues.holdMeaning.${state}`),
  }
}

/** The name of a resource: `requests.cpu` is CPU. */
export const resourceWord = (text: Text, resource: string): string => text.of(resourceName(resource))

/** An amount without the name of its resource: `1.5`, `512 MiB`, `8`. */
export const formatAmount = (text: Text, resource: string, amount: number): string =>
  text('queues.amount.alone', { amount: figureOf(resource, amount) })

/** `4 CPU · 2 GiB memory`. */
export function demandWords(text: Text, demand: readonly { resource: string; amount: number }[]): string {
  if (demand.length === 0) return text('queues.noRequests')
  return demand.map(({ resource, amount }) => text.of(amountMessage(resource, amount))).join(' · ')
}

/** Describes when a workload is likely to be admitted; `Unknown` without an estimate. */
export const estimateWords = (text: Text, { estimate }: Pick<PendingView, 'estimate'>): string =>
  text.of(estimate?.message ?? message('queues.estimate.unknown'))

/** The resource that a queue uses most of, its part of what queues share, and its fair share. */
export function shareSentence(text: Text, { resource, part, fair }: NonNullable<QueueView['share']>): string {
  const args = { part: { share: part }, resource: resourceName(resource) }
  if (fair === undefined) return text('queues.share.uses', args)
  const beyond = part > fair ? text.format.share(part - fair) : 'none'
  return text('queues.share.usesFair', { ...args, fair: { share: fair }, beyond })
}

/** `3 of 4 CPU used, 1 CPU borrowed`. */
export function amountSentence(text: Text, { resource, used, quota, borrowed }: AmountView): string {
  if (quota === undefined) return text('queues.quota.used', { amount: amountMessage(resource, used) })
  return text('queues.quota.usedOf', {
    usage: usageMessage(resource, used, quota),
    borrowed: borrowed > 0 ? text.of(amountMessage(resource, borrowed)) : 'none',
  })
}
