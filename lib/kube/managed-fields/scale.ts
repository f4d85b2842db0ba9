/** Owners of an object's replicas as owners of its scale, and back. */
import { entryOf, type ManagedFieldsEntry, ownerId, type Owners, withFields } from './entry'
import { difference, type FieldSet, has, isEmpty, setOf } from './field-set'

/** The version of the scale, as managed fields name it. */
export const SCALE_VERSION = 'autoscaling/v1'
const IN_SCALE: readonly string[] = ['f:spec', 'f:replicas']
const REPLICAS = setOf(IN_SCALE)

/** The object whose scale it is. */
export interface Scaled {
  /** Of the request: new owners name their field in it. */
  apiVersion: string
  /** The path of the replicas in a version; undefined for one that is not served. */
  replicasIn(apiVersion: string): readonly string[] | undefined
}

/** Who owns the replicas, as owners of a scale. */
export function scaleOwners(owners: Owners, { replicasIn }: Scaled): Owners {
  return owners.flatMap((entry) => {
    const path = replicasIn(entry.apiVersion)
    if (!path || !has(entry.fieldsV1, path)) return []
    return [entryOf({ ...entry, apiVersion: SCALE_VERSION }, REPLICAS, entry.time)]
  })
}

/**
 * The owners of an object after a write of its scale: ownership of the scale's replicas is transferred to the object's.
 * A new owner has no time.
 */
export function ownersAfterScale(owners: Owners, scale: Owners, { apiVersion, replicasIn }: Scaled): Owners {
  const holders = scale.filter(({ fieldsV1 }) => has(fieldsV1, IN_SCALE))
  const holding = new Map(holders.map((entry) => [ownerId(entry), entry]))
  const kept = owners.flatMap((entry): ManagedFieldsEntry[] => {
    const path = replicasIn(entry.apiVersion)
    if (!path) return []
    if (!has(entry.fieldsV1, path)) return [entry]
    if (holding.delete(ownerId({ ...entry, apiVersion: SCALE_VERSION }))) return [entry]
    return withoutReplicas(entry, setOf(path))
  })
  const path = replicasIn(apiVersion)
  const added = path ? [...holding.values()].map((entry) => entryOf({ ...entry, apiVersion }, setOf(path))) : []
  return [...kept, ...added]
}

function withoutReplicas(entry: ManagedFieldsEntry, replicas: FieldSet): ManagedFieldsEntry[] {
  const left = difference(entry.fieldsV1, replicas)
  return isEmpty(left) ? [] : [withFields(entry, left)]
}
