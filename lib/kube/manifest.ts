/** Manifests: objects on their way to a member cluster, inside a Work. */
import { ownField } from '@/lib/std/fields'
import { omit } from '@/lib/std/omit'
import { MANAGED_ANNOTATIONS_ANNOTATION, MANAGED_LABELS_ANNOTATION } from './names'
import type { ObjectMeta } from './object'

/** An object in a template or a Work: the fields of its writer, without those that a server adds. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: Partial<ObjectMeta>
  [field: string]: unknown
}

type Fields = Record<string, unknown>

const SERVER_OWNED = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
  'ownerReferences',
  'finalizers',
] as const
const REVISION_ANNOTATIONS = ['deployment.kubernetes.io/revision', 'deployment.kubernetes.io/revision-history']
const JOB_UIDS = ['controller-uid', 'batch.kubernetes.io/controller-uid']
const JOB_LABELS = [...JOB_UIDS, 'job-name', 'batch.kubernetes.io/job-name']

/** The manifest without status and without what its server put into it, which would be wrong in another cluster. */
export function pruneManifest<T extends Manifest>(manifest: T): T {
  const bare = {
    ...omit(manifest as Manifest, 'status'),
    metadata: omit(manifest.metadata, ...SERVER_OWNED),
  } as Manifest
  return (ownField(prunersByKind, manifest.kind)?.(bare) ?? bare) as T
}

/** By kind alone: groups do not count. */
const prunersByKind: Readonly<Record<string, (manifest: Manifest) => Manifest>> = {
  Deployment: (manifest) => withoutAnnotations(manifest, REVISION_ANNOTATIONS),
  PersistentVolumeClaim: (manifest) => withoutAnnotations(manifest, ['volume.kubernetes.io/selected-node']),
  Job: pruneJob,
  Secret: pruneSecret,
  Service: pruneService,
  ServiceAccount: pruneServiceAccount,
}

function withoutAnnotations(manifest: Manifest, names: readonly string[]): Manifest {
  const { annotations } = manifest.metadata
  return annotations
    ? { ...manifest, metadata: { ...manifest.metadata, annotations: omit(annotations, ...names) } }
    : manifest
}

function pruneJob(manifest: Manifest): Manifest {
  const spec = omit(fieldsOf(manifest.spec), 'ttlSecondsAfterFinished')
  if (spec.manualSelector === true) return { ...manifest, spec }
  const selector = fieldsOf(spec.selector)
  const template = fieldsOf(spec.template)
  const metadata = fieldsOf(template.metadata)
  return {
    ...manifest,
    spec: {
      ...spec,
      ...(selector.matchLabels !== undefined && {
        selector: { ...selector, matchLabels: omit(fieldsOf(selector.matchLabels), ...JOB_UIDS) },
      }),
      ...(metadata.labels !== undefined && {
        template: { ...template, metadata: { ...metadata, labels: omit(fieldsOf(metadata.labels), ...JOB_LABELS) } },
      }),
    },
  }
}

/** A token belongs to the account of one cluster. */
function pruneSecret(manifest: Manifest): Manifest {
  if (manifest.type !== 'kubernetes.io/service-account-token') return manifest
  return { ...withoutAnnotations(manifest, ['kubernetes.io/service-account.uid']), data: null }
}

function pruneService(manifest: Manifest): Manifest {
  const spec = fieldsOf(manifest.spec)
  if (spec.clusterIP === 'None' || manifest.spec === undefined) return manifest
  return { ...manifest, spec: omit(spec, 'clusterIP', 'clusterIPs') }
}

function pruneServiceAccount(manifest: Manifest): Manifest {
  const { secrets } = manifest
  if (!Array.isArray(secrets)) return manifest
  const prefix = `${manifest.metadata.name ?? ''}-token-`
  return { ...manifest, secrets: secrets.filter((secret) => !String(fieldsOf(secret).name).startsWith(prefix)) }
}

/**
 * Records the keys of labels and annotations in the manifest, so that a member can remove keys that the template no
 * longer has.
 */
export function recordManagedKeys<T extends Manifest>(manifest: T): T {
  const { labels = {}, annotations = {} } = manifest.metadata
  const annotationKeys = new Set([
    ...Object.keys(annotations),
    MANAGED_ANNOTATIONS_ANNOTATION,
    MANAGED_LABELS_ANNOTATION,
  ])
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      annotations: {
        ...annotations,
        [MANAGED_ANNOTATIONS_ANNOTATION]: [...annotationKeys].toSorted().join(','),
        [MANAGED_LABELS_ANNOTATION]: Object.keys(labels).toSorted().join(','),
      },
    },
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
