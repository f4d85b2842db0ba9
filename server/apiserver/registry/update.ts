/**
 * Changes an existing object. Reading, changing and writing happen without interruption unless a webhook is called or
 * the object is large; after a concurrent write the change is repeated on the current object.
 */
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { carryingOn, originOf } from '@/lib/kube/stored-form'
import { validateObjectMetaUpdate } from '@/lib/kube/validation/object-meta'
import { omit } from '@/lib/std/omit'
import { refuseEscalation } from '../access/grants'
import { refuseUnentitledSigner } from '../certificates/entitlement'
import type { GroupVersionKind } from '@/lib/kube/admission-webhooks/review'
import type { WriteAdmission } from '../admission/webhook-admission'
import type { Scope } from '../api'
import { internal, invalid, notFound, staleVersion } from '../failures'
import { isLarge, LongWork } from '../long-work'
import { RevisionMismatch } from '../store/errors'
import type { Entry } from '../store/store'
import { unwritten } from './create'
import { failedPrecondition } from './failed-precondition'
import { type OwnedChange, ownersOfChange, sameButTimes, withOwners } from './managed-fields'
import { nextMetadata, withMetadata } from './metadata'
import { namespaceFinalizers } from './namespaces'
import { quotaUsageFor, putTogether } from './quota'
import { admitChange, completed, type Subresource } from './rules'
import { withAddresses } from './service-addresses'
import { reviewSpread } from './spreads'
import type { Writer } from './writer'

export interface UpdateOptions {
  writer: Writer
  /** The desired object from the current one. Called again after a concurrent write. */
  change: (current: UnknownObject) => UnknownObject
  subresource?: Subresource
  /** Restricts the writer and the webhooks to a view of the object. */
  through?: View
  dryRun?: boolean
  /** No webhook is asked: the request that this is a part of was reviewed. */
  reviewed?: true
  /** The changed object carries its owners as they are to be; else they follow from what changes. */
  ownersGiven?: boolean
  /**
   * A whole object was sent: its uid and version are conditions. A patch carries conditions only where it names them.
   */
  whole?: boolean
}

/** Another form of an object with an endpoint of its own: its scale. */
export interface View {
  subresource: string
  kind: GroupVersionKind
  of(object: UnknownObject): UnknownObject
  /** The object with the changes of its view. */
  into(object: UnknownObject, view: UnknownObject): UnknownObject
}

/**
 * Changes an object. Rejects with 409 when a condition in the changed object does not hold, with 422 when the result is
 * invalid, and with 403 when admission or a quota refuses it. An update without changes is not written; an update that
 * removes the last finalizer of a terminating object deletes it.
 */
export function updateObject(scope: Scope, current: Entry, options: UpdateOptions): Promise<Entry> {
  return retrying(scope, current, (latest) => attempt(scope, latest, options))
}

/** Maximum attempts of a write before it fails with a conflict. */
const ATTEMPTS = 5

/** Does `write` with the object as it is, and again when it is another one by then. Rejects with 404 and 409. */
export async function retrying<T>(scope: Scope, entry: Entry, write: (latest: Entry) => Promise<T>): Promise<T> {
  const { kind } = scope.resource
  const { name } = entry.value.metadata
  for (let attempts = 1, latest: Entry | undefined = entry; ; attempts++) {
    try {
      if (scope.resource.prepare) await scope.resource.prepare([latest])
      return await write(scope.resource.read(latest))
    } catch (error) {
      if (!(error instanceof RevisionMismatch)) throw error
      if (attempts === ATTEMPTS) throw staleVersion(kind, name)
      latest = scope.api.store.get(entry.location)
      if (!latest) throw notFound(kind, name)
    }
  }
}

async function attempt(scope: Scope, current: Entry, options: UpdateOptions): Promise<Entry> {
  const old = current.value
  const work = new LongWork(options.writer.large === true || isLarge(current.size))
  const sent = carryingOn(options.change(old), old)
  checkConditions(scope, sent.metadata ?? {}, old.metadata, options)
  if (work.isLong) await work.pause()
  const admission = admissionFor(scope, old, options)
  const next = carryingOn(
    admission ? await mutated(scope, admission, { sent, old, through: options.through }) : sent,
    sent,
  )
  const findings = validateObjectMetaUpdate(changeable(next.metadata ?? {}, old.metadata), old.metadata)
  const merged: UnknownObject = { ...next, metadata: nextMetadata(next.metadata ?? {}, old.metadata) }
  const owners = ownersIn(scope, { old, next: sent }, options)
  if (work.isLong) await work.pause()
  const valid = withOwners(admitChange(scope, { next: merged, old, findings }, options), owners)
  if (work.isLong) await work.pause()
  const ready = carryingOn(withAddresses(scope, valid), next)
  refuseEscalation(scope, options.writer.caller, { next: ready, old })
  refuseUnentitledSigner(scope, options.writer.caller, { next: ready, old, part: options.subresource })
  if (admission) await admission.validate(shown(ready, options.through), shown(old, options.through))
  if (isGone(scope, ready)) return removeUpdated(scope, current, ready, options)
  const isSame = sameButTimes(ready, old) && originOf(ready) === originOf(old) && isKeptSo(scope, current, ready)
  if (isSame && !(options.dryRun && sent.metadata.selfLink)) return current
  const charges = quotaUsageFor(scope, ready, old)
  if (options.dryRun)
    return unwritten(current.location, withSelfLink(scope, ready, { sent, subresource: options.subresource }))
  const kept = scope.resource.write(ready)
  const value = kept instanceof Promise ? await kept : kept
  reviewSpread(scope, value, old)
  const main = { location: current.location, value, expected: current.revision }
  const written = await putTogether(scope.api.store, charges, main)
  if (ready.metadata.generation !== old.metadata.generation) noteAuthor(scope, ready, options.writer)
  return scope.resource.written(written, ready)
}

/** What a version does not show of a custom object is lost with a write that changes nothing else. */
function isKeptSo({ api, resource }: Scope, { location }: Entry, ready: UnknownObject): boolean {
  if (!resource.kind.storedAs?.forgets || resource.prepare) return true
  const kept = api.store.get(location)?.value
  const written = resource.write(ready)
  return kept !== undefined && !(written instanceof Promise) && sameButTimes(written, kept)
}

/** What a writer calls the address of an object is not kept, and repeated if nothing is. */
function withSelfLink(
  { resource }: Scope,
  ready: UnknownObject,
  { sent, subresource }: { sent: UnknownObject; subresource: Subresource | undefined },
): UnknownObject {
  const { selfLink } = sent.metadata ?? {}
  // The status of a custom object leaves all other fields as they are.
  return !selfLink || (resource.custom && subresource) ? ready : withMetadata(ready, { selfLink })
}

function noteAuthor(
  { api, keyspace }: Scope,
  { apiVersion, kind, metadata: { namespace, name } }: UnknownObject,
  { caller, untracked }: Writer,
): void {
  if (keyspace.name === '' && !untracked) api.onSpecChange?.({ apiVersion, kind, namespace, name, user: caller.user })
}

function admissionFor(scope: Scope, { metadata }: UnknownObject, options: UpdateOptions): WriteAdmission | undefined {
  const { writer, dryRun = false, through, subresource, reviewed } = options
  if (reviewed) return undefined
  const { name, namespace } = metadata
  const part = { subresource: through?.subresource ?? subresource, kind: through?.kind }
  return scope.api.admission.admissionFor(scope, { operation: 'UPDATE', ...part, name, namespace, writer, dryRun })
}

interface Sent {
  sent: UnknownObject
  old: UnknownObject
  through?: View | undefined
}

async function mutated(scope: Scope, admission: WriteAdmission, { sent, old, through }: Sent): Promise<UnknownObject> {
  const { namespace } = old.metadata
  const placed = namespace === undefined ? sent : withMetadata(sent, { namespace })
  if (!through) return admission.mutate(carryingOn(completed(scope, placed, old), sent), old)
  return through.into(sent, await admission.mutate(through.of(sent), through.of(old)))
}

function shown(object: UnknownObject, view: View | undefined): UnknownObject {
  return view ? view.of(object) : object
}

function ownersIn(
  scope: Scope,
  change: Pick<OwnedChange, 'old' | 'next'>,
  { writer, subresource, ownersGiven }: UpdateOptions,
): unknown[] | undefined {
  return ownersGiven ? change.next.metadata.managedFields : ownersOfChange(scope, { ...change, writer, subresource })
}

/** The answer shows the object as it was when it left, under its last version. */
async function removeUpdated(
  scope: Scope,
  current: Entry,
  ready: UnknownObject,
  options: UpdateOptions,
): Promise<Entry> {
  // Watchers see the object as it was kept, the writer as it would have been.
  if (!options.dryRun) {
    const kept = await scope.resource.write(current.value)
    await scope.api.store.delete(current.location, kept, current.revision)
  }
  return unwritten(current.location, withMetadata(ready, { resourceVersion: current.value.metadata.resourceVersion }))
}

/** Leaving out the uid or the deletion time does not change them; a namespace outside of all is dropped. */
function changeable(next: Partial<ObjectMeta>, old: ObjectMeta): Partial<ObjectMeta> {
  const given = old.namespace === undefined ? omit(next, 'namespace') : next
  return { ...given, uid: given.uid || old.uid, deletionTimestamp: given.deletionTimestamp ?? old.deletionTimestamp }
}

/** Built-in kinds whose replacement needs a resourceVersion. */
const VERSIONED = new Set([
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'customresourcedefinitions.apiextensions.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
])

const VERSIONLESS = {
  reason: 'FieldValueInvalid',
  message: 'Invalid value: 0: must be specified for an update',
  field: 'metadata.resourceVersion',
}

function checkConditions(scope: Scope, next: Partial<ObjectMeta>, old: ObjectMeta, options: UpdateOptions): void {
  const { kind, id, custom } = scope.resource
  const subject = { group: kind.group, word: kind.plural, name: old.name }
  if (options.whole && next.uid && next.uid !== old.uid)
    throw failedPrecondition(scope, old, { what: 'UID', wanted: next.uid, found: old.uid, dryRun: options.dryRun })
  const version = next.resourceVersion ?? ''
  if (version === '' && options.whole && (custom || VERSIONED.has(id))) throw invalid(subject, [VERSIONLESS])
  if (version === '' || version === '0' || version === old.resourceVersion) return
  if (!/^\d+$/.test(version)) {
    throw internal(`strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`, '')
  }
  throw staleVersion(kind, old.name)
}

/** True for a terminating object that nothing holds any more. */
export function isGone(scope: Scope, object: UnknownObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers } = object.metadata
  if (deletionTimestamp === undefined || finalizers?.length || deletionGracePeriodSeconds > 0) return false
  return scope.resource.id !== 'namespaces' || namespaceFinalizers(object).length === 0
}
