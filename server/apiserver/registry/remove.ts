/** Deletion: at once, after a grace period, or when the last finalizer is gone. */
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { omit } from '@/lib/std/omit'
import type { WriteAdmission } from '../admission/webhook-admission'
import type { Scope } from '../api'
import { conflict, forbidden } from '../failures'
import type { Entry, Store } from '../store/store'
import { unwritten } from './create'
import { failedPrecondition } from './failed-precondition'
import { withMetadata } from './metadata'
import { namespaceFinalizers, PROTECTED_NAMESPACES } from './namespaces'
import { admitRemoval, prepareRemoval } from './rules'
import { isGone, retrying } from './update'
import type { Writer } from './writer'

/** Propagation of a deletion to dependents. */
export type Propagation = 'Background' | 'Foreground' | 'Orphan'

export interface RemoveOptions {
  writer: Writer
  /** The webhooks have been called for the cause of this deletion: an eviction. */
  reviewed?: true
  preconditions?: { uid?: string; resourceVersion?: string }
  propagation?: Propagation
  /** The propagation is that of the kind: what the object says itself comes before it. */
  byDefault?: true
  graceSeconds?: number
  dryRun?: boolean
}

/** The object's last state, and whether it was deleted or is terminating. */
export interface Removal {
  entry: Entry
  gone: boolean
  /** A dry run in which the last finalizers went: kube-apiserver answers with an object that it has not filled. */
  unfilled?: true
}

export const ORPHAN_FINALIZER = 'orphan'
export const FOREGROUND_FINALIZER = 'foregroundDeletion'

/** Deletes an object or begins to. Rejects with 409 if a precondition fails, and 403 for protected objects. */
export function removeObject(scope: Scope, current: Entry, options: RemoveOptions): Promise<Removal> {
  return retrying(scope, current, (latest) => attempt(scope, latest, options))
}

async function attempt(scope: Scope, current: Entry, options: RemoveOptions): Promise<Removal> {
  const old = current.value
  checkPreconditions(scope, old.metadata, options)
  if (scope.resource.id === 'namespaces' && PROTECTED_NAMESPACES.has(old.metadata.name)) {
    throw forbidden(scope.resource.kind, old.metadata.name, 'this namespace may not be deleted')
  }
  // Once a deletion with a grace period has begun, its options matter only if they shorten it.
  if (isPending(old.metadata, options.graceSeconds)) return { entry: current, gone: false }
  const isNamespace = scope.resource.id === 'namespaces'
  const isTerminating = old.metadata.deletionTimestamp !== undefined
  if (isNamespace && isTerminating && namespaceFinalizers(old).length > 0) return { entry: current, gone: false }
  admitRemoval(old)
  const leaving = prepareRemoval(scope, old)
  const held = withPropagationFinalizers(leaving, options)
  const grace = graceOf(scope, held, options.graceSeconds)
  const terminated = terminating(scope, held, grace)
  // A namespace is only marked at first: the namespace controller looks at it.
  const gone = isGone(scope, terminated) && (!isNamespace || isTerminating)
  if (terminated === old && !gone) return { entry: current, gone }
  const admission = admissionFor(scope, old, options)
  if (admission) await admission.validateDeletion(old)
  if (gone) {
    const hadFinalizers = scope.resource.id !== 'pods' && (old.metadata.finalizers ?? []).length > 0
    const isUnfilled = options.dryRun && hadFinalizers
    if (hadFinalizers && !options.dryRun) refuseVersion(scope, old.metadata, options)
    const entry = await erase(scope, current, terminated, options)
    return { entry, gone, ...(isUnfilled && { unfilled: true }) }
  }
  if (options.dryRun) return { entry: unwritten(current.location, terminated), gone }
  const kept = await scope.resource.write(terminated)
  return {
    entry: scope.resource.written(await scope.api.store.put(current.location, kept, current.revision), terminated),
    gone,
  }
}

function admissionFor(scope: Scope, { metadata }: UnknownObject, options: RemoveOptions): WriteAdmission | undefined {
  const { writer, dryRun = false, reviewed } = options
  const { name, namespace } = metadata
  if (reviewed) return undefined
  return scope.api.admission.admissionFor(scope, {
    operation: 'DELETE',
    name,
    namespace,
    writer,
    dryRun,
    options: shownOptions(options),
  })
}

function shownOptions({ graceSeconds, preconditions, propagation }: RemoveOptions): Record<string, unknown> {
  return {
    ...(graceSeconds !== undefined && { gracePeriodSeconds: graceSeconds }),
    ...(preconditions && { preconditions }),
    ...(propagation && { propagationPolicy: propagation }),
  }
}

/** The last state shows a deletion time only where a grace period was in play. */
async function erase(scope: Scope, current: Entry, terminated: UnknownObject, options: RemoveOptions): Promise<Entry> {
  const wasTerminating = current.value.metadata.deletionTimestamp !== undefined
  const last = scope.resource.id === 'pods' || wasTerminating ? terminated : current.value
  if (options.dryRun) return unwritten(current.location, last)
  const kept = await scope.resource.write(last)
  const { store } = scope.api
  const deleted =
    scope.resource.id === 'pods' && terminated !== current.value && !options.writer.untracked
      ? await markAndDelete(store, current, kept)
      : await store.delete(current.location, kept, current.revision)
  return scope.resource.written(deleted, last)
}

/** The end of a pod is written before the pod goes, both in one commit: watchers see a change and a deletion. */
async function markAndDelete(store: Store, { location, revision }: Entry, last: UnknownObject): Promise<Entry> {
  const before = store.get(location)
  const marking = store.put(location, last, revision)
  const marked = store.get(location)
  // A write that is refused changes nothing: its reason is that of the deletion.
  if (!marked || marked === before) return marking
  const [, deleted] = await Promise.all([marking, store.delete(location, last, marked.revision)])
  return deleted
}

/** Throws 409 when the object is not the one that the client has seen. */
export function checkPreconditions(
  { resource: { kind, id } }: Scope,
  meta: ObjectMeta,
  { preconditions }: Pick<RemoveOptions, 'preconditions'>,
): void {
  const refuse = (what: string, wanted: string, found: string): never => {
    if (WITHOUT_GRACE.has(id)) {
      const mismatch = `${what} in precondition: ${wanted}, ${what} in object meta: ${found}`
      throw conflict(kind, meta.name, `Precondition failed: ${mismatch}`)
    }
    const happened = what === 'UID' ? 'deleted and then recreated' : 'modified'
    const mismatch = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found})`
    const subject = { group: kind.storedAs?.group ?? kind.group, plural: kind.kind }
    throw conflict(subject, meta.name, `${mismatch}. The object might have been ${happened}`)
  }
  if (preconditions?.uid !== undefined && preconditions.uid !== meta.uid) refuse('UID', preconditions.uid, meta.uid)
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== meta.resourceVersion) {
    refuse('ResourceVersion', preconditions.resourceVersion, meta.resourceVersion)
  }
}

/**
 * Throws 409 for a version that the client has seen: kube-apiserver, having taken away the finalizers for itself, goes on with
 * that of an object that it has not filled.
 */
function refuseVersion(scope: Scope, meta: ObjectMeta, { preconditions }: RemoveOptions): void {
  if (preconditions?.resourceVersion === undefined) return
  throw failedPrecondition(scope, meta, { what: 'ResourceVersion', wanted: '', found: meta.resourceVersion })
}

function isPending({ deletionTimestamp, deletionGracePeriodSeconds = 0 }: ObjectMeta, seconds = Infinity): boolean {
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === 0) return false
  return (seconds < 0 ? 1 : seconds) >= deletionGracePeriodSeconds
}

/** Orphaning and foreground deletion are finalizers that the garbage collector takes away again. */
function withPropagationFinalizers(
  object: UnknownObject,
  { propagation, byDefault }: Pick<RemoveOptions, 'propagation' | 'byDefault'>,
): UnknownObject {
  const present = object.metadata.finalizers ?? []
  const isSaid = present.some((name) => name === ORPHAN_FINALIZER || name === FOREGROUND_FINALIZER)
  if (propagation === undefined || (byDefault && isSaid)) return object
  const others = present.filter((name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER)
  const own = propagation === 'Orphan' ? [ORPHAN_FINALIZER] : propagation === 'Foreground' ? [FOREGROUND_FINALIZER] : []
  const finalizers = [...others, ...own]
  if (finalizers.join() === present.join()) return object
  if (finalizers.length > 0) return withMetadata(object, { finalizers })
  return { ...object, metadata: omit(object.metadata, 'finalizers') as ObjectMeta }
}

const DEFAULT_POD_GRACE_SECONDS = 30

/** Only a pod on a node gets a grace period: the kubelet has to stop it. */
function graceOf(scope: Scope, object: UnknownObject, wanted: number | undefined): number {
  if (scope.resource.id !== 'pods') return 0
  const spec = object.spec as { nodeName?: string; terminationGracePeriodSeconds?: number } | undefined
  const { phase } = (object.status ?? {}) as { phase?: string }
  if (!spec?.nodeName || phase === 'Succeeded' || phase === 'Failed') return 0
  const seconds = wanted ?? spec.terminationGracePeriodSeconds ?? DEFAULT_POD_GRACE_SECONDS
  return seconds < 0 ? 1 : seconds
}

/** Kinds whose deletion is marked by a timestamp first. */
const WITHOUT_GRACE = new Set(['namespaces', 'customresourcedefinitions.apiextensions.k8s.io'])

/** Marks an object as terminating. One that is already stays as it is unless it is given less time. */
function terminating(scope: Scope, object: UnknownObject, graceSeconds: number): UnknownObject {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation } = object.metadata
  if (deletionTimestamp !== undefined && graceSeconds >= deletionGracePeriodSeconds) return object
  const at = scope.api.clock.now() + graceSeconds * 1000
  // Less time for a deletion that has begun is no new generation.
  const counts = generation !== undefined && deletionTimestamp === undefined && !WITHOUT_GRACE.has(scope.resource.id)
  const change: Partial<ObjectMeta> = {
    deletionTimestamp: formatTime(at),
    ...(!WITHOUT_GRACE.has(scope.resource.id) && { deletionGracePeriodSeconds: graceSeconds }),
    ...(counts && { generation: generation + 1 }),
  }
  const terminated = withMetadata(object, change)
  return scope.resource.id === 'namespaces'
    ? { ...terminated, status: { ...(object.status as object), phase: 'Terminating' } }
    : terminated
}
