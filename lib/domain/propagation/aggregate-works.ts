/** Aggregates the status of a binding's Works. */
import { findCondition, isConditionTrue, type NewCondition } from '../../kube/conditions'
import type { AggregatedStatusItem, BindingSpec } from '../../kube/kinds/binding'
import type { Work } from '../../kube/kinds/work'
import { clusterOfExecutionSpace } from '../../kube/names'
import { expectedClusters } from './clusters'

type Resource = BindingSpec['resource']
type ManifestStatus = NonNullable<NonNullable<Work['status']>['manifestStatuses']>[number]

/** Returns one item for each Work that is not being deleted, sorted by cluster. */
export function aggregateWorks(works: readonly Work[], resource: Resource): AggregatedStatusItem[] {
  return works
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map((work) => itemOf(work, resource))
    .sort((left, right) => (left.clusterName < right.clusterName ? -1 : left.clusterName > right.clusterName ? 1 : 0))
}

function itemOf(work: Work, resource: Resource): AggregatedStatusItem {
  const clusterName = clusterOfExecutionSpace(work.metadata.namespace ?? '') ?? ''
  const { conditions, manifestStatuses = [] } = work.status ?? {}
  if (!isConditionTrue(conditions, 'Applied')) {
    const appliedMessage = findCondition(conditions, 'Applied')?.message
    return { clusterName, ...(appliedMessage && { appliedMessage }), health: 'Unknown' }
  }
  const found = manifestStatuses.find(({ identifier }) => isOf(identifier, resource))
  const health = found?.health ?? 'Unknown'
  return { clusterName, ...(found?.status && { status: found.status }), applied: true, health }
}

function isOf(identifier: ManifestStatus['identifier'], resource: Resource): boolean {
  const apiVersion = identifier.group ? `${identifier.group}/${identifier.version}` : identifier.version
  return (
    identifier.ordinal === 0
    && apiVersion === resource.apiVersion
    && identifier.kind === resource.kind
    && (identifier.namespace ?? '') === (resource.namespace ?? '')
    && identifier.name === resource.name
  )
}

/** Returns the condition FullyApplied: every cluster that may have a Work has one, and all are applied. */
export function assessFullyApplied(spec: BindingSpec, items: readonly AggregatedStatusItem[]): NewCondition {
  const expected = expectedClusters(spec)
  const complete =
    expected.size > 0
    && expected.size === items.length
    && items.every(({ applied, clusterName }) => applied && expected.has(clusterName))
  return complete
    ? {
        type: 'FullyApplied',
        status: 'True',
        reason: 'FullyAppliedSuccess',
        // upstream: Karmada binding status controller
        message: 'All works have been successfully applied',
      }
    : {
        type: 'FullyApplied',
        status: 'False',
        reason: 'FullyAppliedFailed',
        // upstream: Karmada binding status controller
        message: 'Failed to apply all works, see status.aggregatedStatus for details',
      }
}
