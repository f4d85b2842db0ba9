/** Ownership of the replicas of an object in its scale. */
import {
  applyFields,
  type Author,
  type FieldType,
  LEAF,
  type Owners,
  ownersAfterScale,
  ownUpdate,
  type Scaled,
  scaleOwners,
  SCALE_VERSION,
  schemaTypeOf,
  shown,
} from '@/lib/kube/managed-fields'
import type { UnknownObject } from '@/lib/kube/object'
import { int32, object, string } from '@/lib/kube/schema'
import { objectMeta } from '@/lib/kube/object-meta'
import type { Ask, Scope } from '../api'
import { authorOf, ownersOf, withOwners } from '../registry/managed-fields'
import { writerOf } from '../registry/writer'
import { type ApplyRequest, checkConfiguration } from './apply'

/** apiVersion and kind of a scale. */
export const SCALE = { kind: 'Scale', apiVersion: SCALE_VERSION }

/** The fields of a scale. */
export const scaleSchema = object({
  apiVersion: string(),
  kind: string(),
  metadata: objectMeta,
  spec: object({ replicas: int32() }),
  status: object({ replicas: int32(), selector: string() }),
})
const scaleType: FieldType = schemaTypeOf(scaleSchema)
const reader = {
  typeIn: (apiVersion: string): FieldType | undefined => (apiVersion === SCALE_VERSION ? scaleType : undefined),
  ignored: LEAF,
}

/** A scale to be written, and the resulting `managedFields` of its object. */
export interface OwnedScale {
  scale: UnknownObject
  managedFields: unknown[] | undefined
}

/** A scale as the client of a patch sees it: with the owners of its replicas. */
export function withScaleOwners(ask: Ask, current: UnknownObject, scale: UnknownObject): UnknownObject {
  const owners = scaleOwners(ownersOf(current.metadata), scaledBy(ask))
  return owners.length === 0 ? scale : withOwners(scale, shown(owners))
}

/** A changed scale: the writer owns the replicas, unless they had no owner or there are none, which a scale does not show. */
export function ownChangedScale(
  ask: Ask,
  current: UnknownObject,
  scales: { live: UnknownObject; next: UnknownObject },
): OwnedScale {
  const scaled = scaledBy(ask)
  const owners = ownersOf(current.metadata)
  const before = scaleOwners(owners, scaled)
  if (before.length === 0) return { scale: scales.next, managedFields: current.metadata.managedFields }
  const states = { live: scales.live, next: withoutZero(scales.next) }
  const after = ownUpdate(before, { ...reader, ...states }, scaleAuthor(ask, writerOf(ask.call).manager, 'Update'))
  return { scale: scales.next, managedFields: shown(ownersAfterScale(owners, after, scaled)) }
}

function withoutZero(scale: UnknownObject): UnknownObject {
  const { replicas, ...rest } = (scale.spec ?? {}) as { replicas?: number }
  return replicas === 0 ? { ...scale, spec: rest } : scale
}

/** A scale that is applied. Throws 400, 409 and 500 as an apply of any object does. */
export function ownAppliedScale(
  ask: Ask,
  current: UnknownObject,
  { live, request }: { live: UnknownObject; request: ApplyRequest },
): OwnedScale {
  const { config, manager, force } = request
  checkConfiguration(config, SCALE, scaleType)
  const scaled = scaledBy(ask)
  const owners = ownersOf(current.metadata)
  const before = ownersBefore(ask, live, scaleOwners(owners, scaled))
  const author = scaleAuthor(ask, manager, 'Apply')
  const applied = applyFields({ ...reader, live, config, owners: before, author, force })
  const managedFields = shown(ownersAfterScale(owners, applied.owners, scaled))
  return { scale: applied.next as UnknownObject, managedFields }
}

function ownersBefore(ask: Ask, live: UnknownObject, owners: Owners): Owners {
  if (owners.length > 0) return owners
  const nothing = { metadata: {}, spec: {}, status: {} }
  return ownUpdate([], { ...reader, live: nothing, next: live }, scaleAuthor(ask, 'before-first-apply', 'Update'))
}

function scaleAuthor(scope: Scope, manager: string, operation: 'Apply' | 'Update'): Author {
  return { ...authorOf(scope, { manager, operation, subresource: 'scale' }), apiVersion: SCALE_VERSION }
}

function scaledBy({ keyspace, resource }: Scope): Scaled {
  const { group, plural } = resource.kind
  return {
    apiVersion: resource.apiVersion,
    replicasIn: (apiVersion) => {
      const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
      const served = apiVersion === resource.apiVersion ? resource : keyspace.registry.find(group, version, plural)
      if (served?.apiVersion !== apiVersion) return undefined
      return served.kind.subresources.scale?.specReplicasPath
        .split('.')
        .slice(1)
        .map((name) => `f:${name}`)
    },
  }
}
