import type { Text } from '@/lib/messages'
import { type Message, message } from '@/lib/messages/message'
import type { LossView } from '@/lib/view/rebalance-model'
import type { LossCase } from './summary'

/** `Region eu-west`, or the names of the clusters. */
export function nameOfCase({ kind, loss: { clusters, place = '' } }: LossCase): Message {
  return kind === 'region' || kind === 'zone'
    ? message(`resilience.what.${kind}`, { place })
    : message('resilience.what.clusters', { clusters })
}

/** What happens, as the title of a card. */
export function titleOfCase({ kind, loss: { clusters, place = '' } }: LossCase): Message {
  if (kind === 'region' || kind === 'zone') return message(`resilience.card.${kind}`, { place })
  return kind === 'cluster'
    ? message('resilience.card.cluster', { cluster: clusters[0] ?? '' })
    : message('resilience.card.pair', { clusters })
}

/** Describes a cell of the matrix. */
export function sentenceOfCell(text: Text, names: readonly string[], losing: number | undefined): string {
  if (losing === undefined) return text('resilience.cell.unknown', { clusters: names })
  return names.length === 1
    ? text('resilience.cell.cluster', { cluster: names[0] ?? '', n: losing })
    : text('resilience.cell.pair', { clusters: names, n: losing })
}

export function evictedText(text: Text, { evictedAfterMs }: LossView): string {
  return evictedAfterMs === undefined ? '—' : text.format.duration(evictedAfterMs)
}

export function placedText(text: Text, { needed, placed }: Pick<LossView, 'needed' | 'placed'>): string {
  return text('resilience.card.placed', { placed, n: needed })
}

const RESOURCES = ['cpu', 'memory', 'pods'] as const

/** `member2 rises to 97% CPU`; undefined where no cluster takes in replicas, or none reports its capacity. */
export function peakMessage({ peak }: LossView): Message | undefined {
  const resource = RESOURCES.find((one) => one === peak?.resource)
  return peak && resource
    ? message('resilience.card.peak', {
        cluster: peak.cluster,
        share: { share: peak.share },
        resource: message(`resilience.resource.${resource}`),
      })
    : undefined
}
