/** The rules of `metadata` that hold for every kind. */
import { byteLength } from '@/lib/std/byte-length'
import { type FieldError, forbiddenField, invalidField, requiredField, tooLongField } from '../field-error'
import type { ObjectMeta, OwnerReference } from '../object'
import { checkLabelValue, checkQualifiedName, checkSubdomain } from './formats'

const MAX_ANNOTATION_BYTES = 256 * 1024

/** Finalizers that need no domain. */
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

/** Finalizers of built-in kinds name their owner's domain. */
export function validateFinalizerDomains({ finalizers }: Partial<ObjectMeta>): FieldError[] {
  return (finalizers ?? []).flatMap((finalizer, index) => withDomain(finalizer, `metadata.finalizers[${index}]`))
}

/** Finalizers that a namespace has itself; `fieldOf` tells which field is at fault. */
export function validateOwnFinalizers(finalizers: readonly string[], fieldOf: (index: number) => string): FieldError[] {
  return finalizers.flatMap((finalizer, index) => [
    ...checkQualifiedName(finalizer).map((problem) => invalidField(fieldOf(index), finalizer, problem)),
    ...withDomain(finalizer, fieldOf(index)),
  ])
}

function withDomain(finalizer: string, field: string): FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified'
  const isSound = finalizer.includes('/') || STANDARD_FINALIZERS.has(finalizer)
  return isSound ? [] : [invalidField(field, finalizer, detail)]
}

/** Validates the metadata of an object; `checkName` validates its name. */
export function validateObjectMeta(meta: Partial<ObjectMeta>, checkName = checkSubdomain): FieldError[] {
  return [
    ...checkGenerateName(meta.generateName, checkName),
    ...checkOwnName(meta.name, checkName),
    ...validateLabels(meta.labels, 'metadata.labels'),
    ...validateAnnotations(meta.annotations, 'metadata.annotations'),
    ...checkOwners(meta.ownerReferences),
    ...(meta.finalizers ?? []).flatMap((finalizer) =>
      checkQualifiedName(finalizer).map((problem) => invalidField('metadata.finalizers', finalizer, problem)),
    ),
  ]
}

function checkOwnName(name: string | undefined, checkName: (name: string) => string[]): FieldError[] {
  if (!name) return [requiredField('metadata.name', 'name or generateName is required')]
  return checkName(name).map((problem) => invalidField('metadata.name', name, problem))
}

/** A trailing dash is fine: more will follow. */
function checkGenerateName(base: string | undefined, checkName: (name: string) => string[]): FieldError[] {
  if (!base) return []
  return checkName(base.replace(/-$/, 'a')).map((problem) => invalidField('metadata.generateName', base, problem))
}

/** Validates a map of labels. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  const findings: FieldError[] = []
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const problem of checkQualifiedName(key)) findings.push(invalidField(field, key, problem))
    for (const problem of checkLabelValue(value)) findings.push(invalidField(field, value, problem))
  }
  return findings
}

/** Validates a map of annotations. Keys are compared in lower case. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  const findings: FieldError[] = []
  let bytes = 0
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const problem of checkQualifiedName(key.toLowerCase())) findings.push(invalidField(field, key, problem))
    bytes += byteLength(key) + byteLength(value)
  }
  if (bytes > MAX_ANNOTATION_BYTES) findings.push(tooLongField(field, MAX_ANNOTATION_BYTES))
  return findings
}

function checkOwners(owners: readonly OwnerReference[] | undefined): FieldError[] {
  if (!owners) return []
  const field = 'metadata.ownerReferences'
  const findings = owners.flatMap((owner) => checkOwner(owner, field))
  const controllers = owners.filter((owner) => owner.controller)
  if (controllers.length < 2) return findings
  const [first, second] = controllers.map(({ kind, name }) => `${kind}/${name}`)
  return [
    ...findings,
    invalidField(
      field,
      owners,
      `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`,
    ),
  ]
}

function checkOwner(owner: OwnerReference, field: string): FieldError[] {
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner
  const [version = '', group = '', ...rest] = apiVersion.split('/').toReversed()
  const findings: FieldError[] = []
  if (version === '' || rest.length > 0)
    findings.push(invalidField(`${field}.apiVersion`, apiVersion, 'version must not be empty'))
  if (kind === '') findings.push(invalidField(`${field}.kind`, '', 'must not be empty'))
  if (name === '') findings.push(invalidField(`${field}.name`, '', 'must not be empty'))
  if (uid === '') findings.push(invalidField(`${field}.uid`, '', 'must not be empty'))
  if (kind === 'Event' && (group === '' || group === 'events.k8s.io')) {
    findings.push(invalidField(field, owner, `${group}/${version}, Kind=Event is disallowed from being an owner`))
  }
  return findings
}

/**
 * Validates an update of metadata. `next` is the object from the client. Every error is reported twice, as by
 * kube-apiserver: once for metadata, once for the kind.
 */
export function validateObjectMetaUpdate(next: Partial<ObjectMeta>, old: ObjectMeta): FieldError[] {
  const changed = (['uid', 'deletionTimestamp'] as const).filter(
    (name) => next[name] !== undefined && next[name] !== null && next[name] !== old[name],
  )
  const findings = [
    ...changed.map((name) => invalidField(`metadata.${name}`, next[name], 'field is immutable')),
    ...checkNewFinalizers(next, old),
  ]
  return findings.flatMap((finding) => [finding, finding])
}

function checkNewFinalizers(next: Partial<ObjectMeta>, old: ObjectMeta): FieldError[] {
  if (!old.deletionTimestamp) return []
  const held = new Set(old.finalizers)
  const added = (next.finalizers ?? []).filter((finalizer) => !held.has(finalizer))
  if (added.length === 0) return []
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ')
  return [
    forbiddenField(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ]
}
