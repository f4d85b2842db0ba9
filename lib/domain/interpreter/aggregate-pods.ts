/** Status of a Pod that runs in several members. */
import { omit } from '../../std/omit'
import { fieldsIn } from './json-fields'
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

/** The worst phase wins; a member that reported nothing counts as Pending. */
const PHASES_BY_PRECEDENCE = ['Failed', 'Pending', 'Running', 'Succeeded']

export function aggregatePodStatus({ template, items, nothingCollected }: AggregationInput): Fields | undefined {
  if (nothingCollected) return asStored(template.status)
  const statuses = collected(items, podStatus)
  const phases = new Set(statuses.map(({ status }) => status.phase))
  if (statuses.length < items.length) phases.add('Pending')
  return replacedStatus(template, podStatus, {
    phase: PHASES_BY_PRECEDENCE.find((phase) => phases.has(phase)),
    containerStatuses: reduced(statuses, 'containerStatuses'),
    initContainerStatuses: unlessEmpty(reduced(statuses, 'initContainerStatuses')),
  })
}

/** Names and images differ between members, so only readiness and state are kept. */
function reduced(statuses: readonly Collected[], field: string): readonly Fields[] {
  return statuses.flatMap(({ status }) =>
    ((status[field] ?? []) as Fields[]).map(({ ready, state }) => ({ ready, state })),
  )
}

/** The status that the template has, in the form in which a server keeps it. */
function asStored(status: unknown): Fields {
  const others = omit(fieldsIn(status), 'phase', 'containerStatuses', 'initContainerStatuses')
  return { ...others, ...(conform(podStatus, status, 'status') as Fields) }
}
