/** Aggregates the phases of volumes and claims. */
import { persistentVolumeClaimStatus, persistentVolumeStatus } from './shapes'
import { type AggregationInput, collected, type Fields, replacedStatus } from './member-status'

const VOLUME_PHASES_BY_PRECEDENCE = ['Failed', 'Pending', 'Available', 'Bound', 'Released']

/** The worst phase wins; a member without a report counts as Pending. */
export function aggregatePersistentVolumeStatus({ template, items }: AggregationInput): Fields | undefined {
  const statuses = collected(items, persistentVolumeStatus)
  const phases = new Set(statuses.map(({ status }) => status.phase))
  if (statuses.length < items.length) phases.add('Pending')
  const phase = VOLUME_PHASES_BY_PRECEDENCE.find((candidate) => phases.has(candidate))
  return replacedStatus(template, persistentVolumeStatus, { phase })
}

/** Lost in any member is Lost; otherwise the last phase that is not Bound. */
export function aggregatePersistentVolumeClaimStatus({ template, items }: AggregationInput): Fields | undefined {
  const phases = collected(items, persistentVolumeClaimStatus).map(({ status }) => status.phase ?? '')
  const phase = phases.includes('Lost') ? 'Lost' : (phases.findLast((candidate) => candidate !== 'Bound') ?? 'Bound')
  return replacedStatus(template, persistentVolumeClaimStatus, { phase })
}
