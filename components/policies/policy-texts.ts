/** Texts of policies that are put together of their fields. */
import { message, type Text } from '@/lib/messages'
import type { LabOutcome } from '@/lib/view/lab/outcome'
import type { ResourceSelectorView } from '@/lib/view/policy-model'

/** "Deployment shop/web", "Deployment with app=web", "all Deployments". */
export function selectorText(text: Text, { kind, namespace, name, labels }: ResourceSelectorView): string {
  if (name !== undefined)
    return text('policies.selects.name', { kind, name: namespace === undefined ? name : `${namespace}/${name}` })
  const what =
    labels.length > 0 ? message('policies.selects.labels', { kind, labels }) : message('policies.selects.all', { kind })
  return namespace === undefined ? text.of(what) : text('policies.selects.in', { what, namespace })
}

/** "10 of 24 replicas would move", or that nothing does. */
export function headlineOf(text: Text, { moved, replicas, failing, workloads }: LabOutcome): string {
  if (workloads.length === 0) return text('policies.lab.headline.nothing')
  if (failing > 0) return text('policies.lab.headline.failing', { n: failing, of: workloads.length })
  if (replicas === 0 && moved > 0) return text('policies.lab.headline.places', { n: workloads.length, moved })
  if (moved === 0) return text('policies.lab.headline.still', { replicas })
  return text('policies.lab.headline.moves', { moved, replicas })
}

/** What saving does on its own, and what is left for a rebalance. */
export function savingOf(text: Text, { moved, movedBySaving, replicas }: LabOutcome): string {
  if (replicas === 0 && movedBySaving > 0) return text('policies.lab.saving.places', { bySaving: movedBySaving })
  if (moved === 0 && movedBySaving === 0) return text('policies.lab.saving.nothing')
  if (movedBySaving === 0) return text('policies.lab.saving.rebalance', { moved })
  return text('policies.lab.saving.both', { bySaving: movedBySaving, moved })
}

/** "2 in member1 and 1 in member2". */
export const placesText = (text: Text, clusters: readonly { name: string; replicas?: number }[]): string =>
  clusters.length === 0
    ? text('policies.lab.nowhere')
    : text.format.list(
        clusters.map(({ name, replicas = 0 }) => text('policies.lab.place', { cluster: name, replicas })),
      )
