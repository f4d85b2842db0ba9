/** The scale subresource: the replicas of an object behind one form for all kinds. */
import { undecodable } from '@/lib/kube/builtin-decode'
import type { ScaleSubresource } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import { findMismatch } from '@/lib/kube/schema-mismatch'
import { pruneUnknown } from '@/lib/kube/schema-prune'
import type { LabelSelectorLike } from '@/lib/kube/selector'
import { ownField } from '@/lib/std/fields'
import type { Ask } from '../api'
import { readConfiguration } from '../apply-body'
import { readTyped } from '../body'
import type { Reply } from '../call'
import { kubeError } from '@/lib/kube/errors'
import { conflict, invalid } from '../failures'
import { reportOfPatch, validationIn, wrongPatch } from '../field-validation'
import { unwritten } from '../registry/create'
import { bare, withOwners } from '../registry/managed-fields'
import { withMetadata } from '../registry/metadata'
import type { Resource } from '../registry/resource'
import { updateObject, type View } from '../registry/update'
import { writerOf } from '../registry/writer'
import type { Entry } from '../store/store'
import { selectorText } from '../views/columns/reading'
import { viewOf } from '../views/view'
import { warnAboutChange } from '../warnings/warnings'
import { checkNamespace } from './create'
import { find } from './get'
import { isApply, readPatch } from './patch'
import { type OwnedScale, ownAppliedScale, ownChangedScale, SCALE, scaleSchema, withScaleOwners } from './scale-owners'
import { checkName } from './update'
import { readWriteOptions } from './write-options'

/** GET of a scale. */
export async function getScale(ask: Ask): Promise<Reply> {
  await ask.api.store.settled()
  const entry = find(ask)
  const { specReplicasPath } = paths(ask)
  if (ask.resource.custom && valueAt(entry.value, pathOf(specReplicasPath)) === undefined) {
    const text = `the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`
    throw kubeError(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] })
  }
  return answerWith(ask, entry)
}

/** PUT of a scale. */
export async function updateScale(ask: Ask): Promise<Reply> {
  const { dryRun } = readWriteOptions(ask.call.query, 'UpdateOptions')
  const scale = await readTyped(ask.call, SCALE)
  const misfit = findMismatch(scale, scaleSchema, SCALE.kind)
  if (misfit) throw undecodable({ kind: SCALE.kind, version: 'v1' }, misfit)
  const unknown = unknownFieldsOf(scale)
  const validation = validationIn(ask.call.query)
  if (validation === 'Strict' && unknown.length > 0) {
    throw undecodable({ kind: SCALE.kind, version: 'v1' }, `strict decoding error: ${unknown.join(', ')}`)
  }
  if (validation === 'Warn') for (const text of unknown) ask.call.warn(text)
  checkPlace(ask, scale)
  return writeScale(
    ask,
    changing(ask, () => scale),
    dryRun,
  )
}

/** PATCH of a scale. */
export async function patchScale(ask: Ask): Promise<Reply> {
  const { query } = ask.call
  const { dryRun, validation, manager, force } = readWriteOptions(query, 'PatchOptions', isApply(ask.call))
  if (isApply(ask.call)) {
    const request = { manager, force, config: await readConfiguration(ask.call, validation) }
    return writeScale(ask, (current, live) => ownAppliedScale(ask, current, { live, request }), dryRun)
  }
  const patch = await readPatch(ask)
  const change = (live: UnknownObject, current: UnknownObject): UnknownObject => {
    const scale = withScaleOwners(ask, current, live)
    const changed = patch.apply(scale) as UnknownObject
    const shown = (): string => patch.text(changed, scale)
    const misfit = patch.misfit(changed, scaleSchema) ?? findMismatch(changed, scaleSchema, SCALE.kind)
    if (misfit) throw wrongPatch(shown, misfit)
    reportOfPatch(ask.call, [...patch.strict, ...unknownFieldsOf(changed)], shown)
    checkPlace(ask, changed)
    return bare(changed)
  }
  return writeScale(ask, changing(ask, change), dryRun)
}

function unknownFieldsOf(scale: UnknownObject): string[] {
  return pruneUnknown(scale, scaleSchema).unknownFields.map((path) => `unknown field "${path}"`)
}

/** A scale is called what its object is called. Throws 400. */
function checkPlace(ask: Ask, scale: UnknownObject): void {
  checkName(ask, scale)
  checkNamespace(ask, scale)
}

/** The desired scale, and the resulting field owners of the object. */
type Rescaling = (current: UnknownObject, live: UnknownObject) => OwnedScale

function changing(ask: Ask, change: (scale: UnknownObject, current: UnknownObject) => UnknownObject): Rescaling {
  return (current, live) => ownChangedScale(ask, current, { live, next: change(live, current) })
}

async function writeScale(ask: Ask, rescale: Rescaling, dryRun: boolean): Promise<Reply> {
  const through: View = {
    subresource: 'scale',
    kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    of: (object) => scaleOf(ask, object, NO_REPLICAS),
    into: (object, scale) => withScale(ask, object, scale),
  }
  const change = (current: UnknownObject): UnknownObject => {
    const { scale, managedFields } = rescale(current, through.of(current))
    return withOwners(through.into(current, scale), managedFields)
  }
  const options = { change, through, writer: writerOf(ask.call), dryRun, ownersGiven: true }
  const current = find(ask)
  const entry = await updateObject(ask, current, options)
  warnAboutChange(ask, current.value, entry.value)
  return answerWith(ask, entry)
}

/** The scale of an object, in the form that the client takes. */
function answerWith(ask: Ask, { location, value }: Entry): Reply {
  return viewOf({ ...ask, resource: scaleResourceOf(ask.resource) }).object(unwritten(location, scaleOf(ask, value)))
}

const scaleResources = new WeakMap<Resource, Resource>()

/** Scale as its own resource. Custom kinds have only the common columns. */
function scaleResourceOf(resource: Resource): Resource {
  const known = scaleResources.get(resource)
  if (known) return known
  const id = resource.custom ? 'scales' : 'scales.autoscaling'
  const kind = { ...resource.kind, kind: SCALE.kind, printerColumns: [] }
  const own = { ...resource, id, kind, apiVersion: SCALE.apiVersion, custom: false, converts: false }
  scaleResources.set(resource, own)
  return own
}

/** The object with the replicas of a scale. Throws 409 when the scale is that of another object, and 422. */
function withScale(ask: Ask, current: UnknownObject, scale: UnknownObject): UnknownObject {
  const { kind } = ask.resource
  const { name, uid, resourceVersion } = scale.metadata
  const replicas = (scale.spec as { replicas?: number } | undefined)?.replicas ?? 0
  if (uid && uid !== current.metadata.uid) {
    throw conflict(
      kind,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`,
    )
  }
  const { specReplicasPath } = paths(ask)
  if (replicas === NO_REPLICAS) {
    const text = `the spec replicas field ${JSON.stringify(specReplicasPath)} cannot be empty`
    throw kubeError(400, 'BadRequest', text)
  }
  if (replicas < 0 && !ask.resource.custom) {
    const message = `Invalid value: ${replicas}: must be greater than or equal to 0`
    throw invalid({ group: 'autoscaling', word: 'Scale', name: current.metadata.name }, [
      { reason: 'FieldValueInvalid', message, field: 'spec.replicas' },
    ])
  }
  const next = withValueAt(current, pathOf(specReplicasPath), replicas) as UnknownObject
  return withMetadata(next, { resourceVersion: resourceVersion ?? '' })
}

/** Stands for replicas that a custom object does not have, where its scale is written. */
const NO_REPLICAS = -(2 ** 31)

function scaleOf(ask: Ask, value: UnknownObject, missing?: number): UnknownObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = value.metadata
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = paths(ask)
  const desired = valueAt(value, pathOf(specReplicasPath)) as number | undefined
  const replicas = desired ?? (ask.resource.custom ? missing : undefined)
  const selector = labelSelectorPath ? valueAt(value, pathOf(labelSelectorPath)) : builtinSelector(value)
  return {
    ...SCALE,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { ...(replicas && { replicas }) },
    status: { replicas: valueAt(value, pathOf(statusReplicasPath)) ?? 0, ...(selector !== undefined && { selector }) },
  }
}

function builtinSelector(value: UnknownObject): string | undefined {
  const selector = valueAt(value, ['spec', 'selector']) as LabelSelectorLike | undefined
  if (value.kind !== 'ReplicationController') return selector && selectorText(selector)
  return selector && selectorText({ matchLabels: selector as Record<string, string> })
}

function paths({ resource }: Ask): ScaleSubresource {
  return resource.kind.subresources.scale as ScaleSubresource
}

function pathOf(jsonPath: string): string[] {
  return jsonPath.split('.').slice(1)
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isFields(at) ? ownField(at, name) : undefined), value)
}

function withValueAt(value: unknown, [head, ...rest]: readonly string[], leaf: unknown): unknown {
  if (head === undefined) return leaf
  const fields = isFields(value) ? value : {}
  return { ...fields, [head]: withValueAt(ownField(fields, head), rest, leaf) }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
