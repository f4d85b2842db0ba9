/** Subsets, their accounts and their deletion in words. */
import { formatNumberOf, joinWords } from '@/lib/format'
import type { ConditionView } from '@/lib/view/model'
import type {
  DeletionStepView,
  ExpectedPodView,
  SpreadAccountView,
  SpreadInClusterView,
  SpreadSubsetView,
  SpreadView,
} from '@/lib/view/spread-model'

/** `max 60%`; `no limit`. */
export function limitWord({ maxReplicas }: SpreadSubsetView): string {
  return maxReplicas === undefined ? 'no limit' : `max ${maxReplicas}`
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
    pods: reports.filter((count) => count.name === name).reduce((sum, { now }) => sum + now, 0),
  }))
}

/** The most pods that any bar has to show, at least 1. */
export function longestBar({ clusters }: SpreadView): number {
  const counts = clusters.flatMap(({ subsets = [] }) => subsets)
  return counts.reduce((most, { now, wants = 0 }) => Math.max(most, now, wants), 1)
}

/** `10 = 5 + 3 + 2`. */
export function accountText({ total, parts }: SpreadAccountView): string {
  return `${total} = ${parts.join(' + ') || '0'}`
}

/** How many clusters add up; a cluster that has no account is not counted. */
export function balanceInShort(clusters: readonly SpreadInClusterView[]): { accounts: number; balanced: number } {
  const accounts = clusters.flatMap(({ account }) => account ?? [])
  return { accounts: accounts.length, balanced: accounts.filter(({ off }) => off === 0).length }
}

/** `Schedulable: False (PodUnschedulable)`. */
export function conditionText({ type, status, reason }: ConditionView): string {
  return `${type}: ${status}${reason === '' ? '' : ` (${reason})`}`
}

/** `2 pods of rest`; `1 too many of spot`; `3 in no subset`. */
export function stepText({ subset, surplus, pods }: DeletionStepView): string {
  if (subset === undefined) return `${pods} in no subset`
  return surplus ? `${pods} too many of ${subset}` : `${formatNumberOf(pods, 'pod')} of ${subset}`
}

const MOST_PODS = 4

/** `2 pods on the way in`, and which. */
export function expectedText(expected: readonly ExpectedPodView[]): { text: string; names: string } {
  const groups = (['creating', 'deleting'] as const)
    .map((doing) => ({ doing, pods: expected.filter((pod) => pod.doing === doing) }))
    .filter(({ pods }) => pods.length > 0)
  return {
    text: joinWords(groups.map(({ doing, pods }) => `${pods.length} ${doing === 'creating' ? 'coming' : 'going'}`)),
    names: groups
      .map(
        ({ doing, pods }) =>
          `${doing === 'creating' ? 'coming' : 'going'}: ${joinWords(
            pods.map(({ name }) => name),
            MOST_PODS,
          )}`,
      )
      .join('; '),
  }
}

/** When the last of them is given up. */
export function lastUntil(expected: readonly ExpectedPodView[]): string | undefined {
  return expected.map(({ until }) => until).toSorted().at(-1)
}
