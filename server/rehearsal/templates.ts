/** Templates of workloads in the store, and the PodDisruptionBudgets that select their pods. */
import type { Budget, WorkloadId } from '@/lib/domain/rehearsal/record'
import { type Kind, resourceName } from '@/lib/kube/kind'
import { allKinds, podDisruptionBudget, type PodDisruptionBudget } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { matchesLabelSelector } from '@/lib/kube/selector'
import type { Store } from '@/server/apiserver'

const RESOURCES = new Map((allKinds as readonly Kind[]).map((kind) => [kind.kind, resourceName(kind)]))

/** Undefined if it does not exist or is being deleted. */
export function templateOf(store: Store, { kind, namespace, name }: WorkloadId): UnknownObject | undefined {
  const resource = RESOURCES.get(kind)
  const entry = resource && store.get({ keyspace: '', resource, key: `${namespace}/${name}` })
  return entry && !entry.value.metadata.deletionTimestamp ? entry.value : undefined
}

interface WithPods {
  spec?: { template?: { metadata?: { labels?: Record<string, string> } } }
}

/** The budgets of each workload, as they are now. Budgets of members alone are not seen. */
export function budgetsIn(store: Store): (workload: WorkloadId) => Budget[] {
  const budgets = store
    .list({ keyspace: '', resource: resourceName(podDisruptionBudget) })
    .map(({ value }) => value as unknown as PodDisruptionBudget)
  return (workload) => {
    const own = budgets.filter(({ metadata }) => metadata.namespace === workload.namespace)
    if (own.length === 0) return []
    const labels = (templateOf(store, workload) as WithPods | undefined)?.spec?.template?.metadata?.labels
    return own
      .filter(({ spec }) => labels && spec?.selector && matchesLabelSelector(spec.selector, labels))
      .map(({ metadata: { name }, spec }) => ({
        name,
        minAvailable: spec?.minAvailable,
        maxUnavailable: spec?.maxUnavailable,
      }))
  }
}
