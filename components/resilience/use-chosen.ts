'use client'
import type { LossesView, LossView } from '@/lib/view/rebalance-model'
import type { UrlChanges } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import type { LossCase, LossKind } from './summary'
import { useLoss } from './use-losses'

export const GROUPINGS = ['pairs', 'regions', 'zones'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** `?by=`: which losses the picture shows. */
export function useGrouping(): Grouping {
  const by = useUrlState().get('by')
  return GROUPINGS.find((one) => one === by) ?? 'pairs'
}

/** The parameters of an address that shows a loss. */
export function choiceOf({ kind, loss: { clusters, place } }: LossCase): UrlChanges {
  return kind === 'region' || kind === 'zone'
    ? { by: `${kind}s`, loss: place }
    : { by: undefined, loss: clusters.join(',') }
}

/** What `?loss=` names; `loss` is absent while it is fetched, or when it is not computed. */
export interface Chosen {
  kind: LossKind
  names: readonly string[]
  loss: LossView | undefined
  pending: boolean
}

export function useChosen(losses: LossesView): Chosen | undefined {
  const chosen = useUrlState().get('loss')
  const grouping = useGrouping()
  const names = chosen?.split(',') ?? []
  const isPair = grouping === 'pairs' && names.length === 2
  const fetched = useLoss(isPair ? names : [], losses.pairs && losses.computedAt)
  if (chosen === undefined) return undefined
  if (isPair) return { kind: 'pair', names, loss: fetched.data, pending: fetched.isLoading }
  const kind = grouping === 'pairs' ? 'cluster' : grouping === 'regions' ? 'region' : 'zone'
  const loss = losses[kind].each.find(({ clusters, place }) => (place ?? clusters[0]) === chosen)
  return { kind, names, loss, pending: false }
}
