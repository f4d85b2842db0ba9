/** Subsets, their sums and their deletion in words. */
import type { Text } from '@/lib/messages'
import type { ConditionView } from '@/lib/view/model'
import type {
  DeletionStepView,
  ExpectedPodView,
  SpreadInClusterView,
  SpreadSubsetView,
  SpreadSumView,
  SpreadView,
} from '@/lib/view/spread-model'

/** `max 60%`; `no limit`. */
export function limitWord(text: Text, { maxReplicas }: SpreadSubsetView): string {
  return maxReplicas === undefined ? text('spread.limit.none') : text('spread.limit.max', { limit: maxReplicas })
}

/** `spot 60% → ondemand 3 → rest`: in the order in which they are filled. */
export function subsetsInShort(subsets: readonly SpreadSubsetView[]): string {
  return subsets
    .map(({ name, maxReplicas }) => (maxReplicas === undefined ? name : `${name} ${maxReplicas}`))
    .join(' → ')
}

/** Pods of each subset in all clusters together, in order; undefined when no cluster reported any. */
export function podsBySubset({ subsets, clusters }: SpreadView): { name: string; pods: number }[] | undefined {
  const reports = clusters.flatMap((cluster) => cluster.subsets ?? [])
  if (reports.length === 0) return undefined
  return subsets.map(({ name }) => ({
    name,
    pods: reports.filter((count) => count.name === name).reduce((sum, { current }) => sum + current, 0),
  }))
}

/** The most pods that any bar has to show, at least 1. */
export function longestBar({ clusters }: SpreadView): number {
  const counts = clusters.flatMap(({ subsets = [] }) => subsets)
  return counts.reduce((most, { current, desired = 0 }) => Math.max(most, current, desired), 1)
}

/** `10 = 5 + 3 + 2`. */
export function sumText({ total, parts }: SpreadSumView): string {
  return `${total} = ${parts.join(' + ') || '0'}`
}

/** How many clusters add up; a cluster that has no sum is not counted. */
export function balanceInShort(clusters: readonly SpreadInClusterView[]): { sums: number; balanced: number } {
  const sums = clusters.flatMap(({ sum }) => sum ?? [])
  return { sums: sums.length, balanced: sums.filter(({ off }) => off === 0).length }
}

/** `Schedulable: False (PodUnschedulable)`. */
export function conditionText({ type, status, reason }: ConditionView): string {
  return `${type}: ${status}${reason === '' ? '' : ` (${reason})`}`
}

/** `2 pods of rest`; `1 surplus pod of spot`; `3 pods in no subset`. */
export function stepText(text: Text, { subset, surplus, pods }: DeletionStepView): string {
  if (subset === undefined) return text('spread.step.noSubset', { pods })
  return text(surplus ? 'spread.step.surplus' : 'spread.step.subset', { pods, subset })
}

const MAX_PODS = 4

/** `2 creating and 1 deleting`, and which pods. */
export function expectedText(text: Text, expected: readonly ExpectedPodView[]): { counts: string; names: string } {
  const groups = (['creating', 'deleting'] as const)
    .map((doing) => ({ doing, pods: expected.filter((pod) => pod.doing === doing).map(({ name }) => name) }))
    .filter(({ pods }) => pods.length > 0)
  return {
    counts: text.format.list(groups.map(({ doing, pods }) => text(`spread.pods.${doing}`, { n: pods.length }))),
    names: groups
      .map(({ doing, pods }) => text('spread.pods.named', { doing, pods: text.format.list(pods, MAX_PODS) }))
      .join('; '),
  }
}

/** When the last of them expires. */
export function lastUntil(expected: readonly ExpectedPodView[]): string | undefined {
  return expected
    .map(({ until }) => until)
    .toSorted()
    .at(-1)
}
