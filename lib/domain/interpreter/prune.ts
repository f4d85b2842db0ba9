/** What a manifest must not carry into a member: what a server fills in, and what belongs to one cluster only. */
import type { ObjectMeta } from '../../kube/object'
import { fieldsIn } from './json-fields'

const SERVER_METADATA = [
  'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation', 'managedFields',
  'resourceVersion', 'selfLink', 'uid', 'ownerReferences', 'finalizers',
] as const

/** A manifest: an object without the fields that only a server gives. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: Partial<ObjectMeta>
  [field: string]: unknown
}

/**
 * The object without status, without metadata of the server, and without the fields of its kind that one cluster
 * fills in. Matched on the kind alone, whatever its group. The argument is not changed.
 */
export function pruneManifest(object: Manifest): Manifest {
  const { status: _status, ...rest } = object
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([name]) => !SERVER_METADATA.includes(name as never)),
  ) as Partial<ObjectMeta>
  const pruned = { ...rest, metadata } as Manifest
  return BY_KIND[object.kind]?.(pruned) ?? pruned
}

const BY_KIND: Readonly<Record<string, (manifest: Manifest) => Manifest>> = {
  Deployment: manifest =>
    withoutAnnotations(manifest, ['deployment.kubernetes.io/revision', 'deployment.kubernetes.io/revision-history']),
  Job: pruneJob,
  Secret: pruneSecret,
  ServiceAccount: pruneServiceAccount,
  Service: pruneService,
  PersistentVolumeClaim: manifest => withoutAnnotations(manifest, ['volume.kubernetes.io/selected-node']),
}

const JOB_UID_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid']
const JOB_LABELS = [...JOB_UID_LABELS, 'job-name', 'batch.kubernetes.io/job-name']

/** Selector and labels that the job controller generates would match the pods of the wrong Job. */
function pruneJob(manifest: Manifest): Manifest {
  const { ttlSecondsAfterFinished: _ttl, ...spec } = fieldsIn(manifest.spec)
  if (spec.manualSelector === true) return { ...manifest, spec }
  const selector = fieldsIn(spec.selector)
  const template = fieldsIn(spec.template)
  const metadata = fieldsIn(template.metadata)
  return {
    ...manifest,
    spec: {
      ...spec,
      ...(selector.matchLabels !== undefined && {
        selector: { ...selector, matchLabels: without(fieldsIn(selector.matchLabels), JOB_UID_LABELS) },
      }),
      ...(metadata.labels !== undefined && {
        template: { ...template, metadata: { ...metadata, labels: without(fieldsIn(metadata.labels), JOB_LABELS) } },
      }),
    },
  }
}

function pruneSecret(manifest: Manifest): Manifest {
  if (manifest.type !== 'kubernetes.io/service-account-token') return manifest
  return { ...withoutAnnotations(manifest, ['kubernetes.io/service-account.uid']), data: null }
}

function pruneServiceAccount(manifest: Manifest): Manifest {
  if (!Array.isArray(manifest.secrets)) return manifest
  const prefix = `${manifest.metadata.name ?? ''}-token-`
  return { ...manifest, secrets: manifest.secrets.filter(secret => !String(fieldsIn(secret).name).startsWith(prefix)) }
}

/** A headless service keeps its address `None`. */
function pruneService(manifest: Manifest): Manifest {
  const spec = fieldsIn(manifest.spec)
  const { clusterIP, clusterIPs: _clusterIPs, ...rest } = spec
  return manifest.spec === undefined || clusterIP === 'None' ? manifest : { ...manifest, spec: rest }
}

function withoutAnnotations(manifest: Manifest, names: readonly string[]): Manifest {
  const { annotations } = manifest.metadata
  if (!annotations || !names.some(name => name in annotations)) return manifest
  return { ...manifest, metadata: { ...manifest.metadata, annotations: without(annotations, names) } }
}

function without<V>(record: Record<string, V>, names: readonly string[]): Record<string, V> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}
