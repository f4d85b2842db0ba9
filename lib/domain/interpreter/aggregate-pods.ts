/** Aggregates the status of a Pod over its members. */
import { conform } from './shape'
import { podStatus } from './shapes'
import {
  type AggregationInput,
  collected,
  type Collected,
  type Fields,
  replacedStatus,
  unlessEmpty,
} from './member-status'

/** The worst phase wins; a member without a report counts as Pending. */
const PHASES_BY_PRECEDENCE = ['Failed', 'Pending', 'Running', 'Succeeded']

export function aggregatePodStatus({ template, items, nothingCollected }: AggregationInput): Fields | undefined {
  if (nothingCollected) return conform(podStatus, template.status, 'status') as Fields
  const statuses = collected(items, podStatus)
  const phases = new Set(statuses.map(({ status }) => status.phase))
  if (statuses.length < items.length) phases.add('Pending')
  return replacedStatus(template, podStatus, {
    phase: PHASES_BY_PRECEDENCE.find((phase) => phases.has(phase)),
    containerStatuses: reduced(statuses, 'containerStatuses'),
    initContainerStatuses: unlessEmpty(reduced(statuses, 'initContainerStatuses')),
  })
}

/** Keeps only readiness and state, because names and images differ between members. */
function reduced(statuses: readonly Collected[], field: string): readonly Fields[] {
  return statuses.flatMap(({ status }) =>
    ((status[field] ?? []) as Fields[]).map(({ ready, state }) => ({ ready, state })),
  )
}
