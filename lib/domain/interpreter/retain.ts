/** Retains fields that the member or its users wrote when a manifest is applied again. */
import { MANAGED_ANNOTATIONS_ANNOTATION, MANAGED_LABELS_ANNOTATION, RETAIN_REPLICAS_LABEL } from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import type { Manifest } from '../../kube/manifest'
import { ownField } from '../../std/fields'
import { fieldsIn, listIn } from './json-fields'
import { thirdPartyRule } from './third-party'

/**
 * Returns the object to send to a member that has `observed`: the manifest with the fields that the member owns. Labels
 * and annotations of the manifest override observed ones. The arguments are not changed.
 */
export function retainObserved(manifest: Manifest, observed: UnknownObject): Manifest {
  const { resourceVersion, finalizers, ownerReferences, annotations, labels } = observed.metadata
  const managed = (key: string) => new Set(annotations?.[key]?.split(',') ?? [])
  const metadata = {
    ...manifest.metadata,
    resourceVersion,
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
    ...merged('annotations', annotations, manifest.metadata.annotations, managed(MANAGED_ANNOTATIONS_ANNOTATION)),
    ...merged('labels', labels, manifest.metadata.labels, managed(MANAGED_LABELS_ANNOTATION)),
  }
  const kept = { ...manifest, metadata }
  const retain = ownField(BY_KIND, `${manifest.apiVersion}/${manifest.kind}`) ?? thirdPartyRule(manifest, 'retain')
  return retain?.(kept, observed) ?? kept
}

type Words = Record<string, string>

/** Drops observed keys that were managed before and are no longer in the manifest. */
function merged(
  name: 'annotations' | 'labels',
  observed: Words | undefined,
  wanted: Words | undefined,
  managed: ReadonlySet<string>,
): { annotations?: Words; labels?: Words } {
  const foreign = Object.entries(observed ?? {}).filter(([key]) => !managed.has(key))
  const words = { ...Object.fromEntries(foreign), ...wanted }
  return Object.keys(words).length > 0 ? { [name]: words } : {}
}

type Retain = (manifest: Manifest, observed: UnknownObject) => Manifest

const BY_KIND: Readonly<Record<string, Retain>> = {
  'apps/v1/Deployment': retainReplicas,
  'v1/Pod': retainPod,
  'v1/Service': retainService,
  'v1/ServiceAccount': retainServiceAccount,
  'v1/PersistentVolumeClaim': (manifest, observed) => retainSpecFields(manifest, observed, ['volumeName']),
  'v1/PersistentVolume': (manifest, observed) => retainSpecFields(manifest, observed, ['claimRef']),
  'batch/v1/Job': retainJob,
  'v1/Secret': retainSecret,
}

function retainReplicas(manifest: Manifest, observed: UnknownObject): Manifest {
  if (manifest.metadata.labels?.[RETAIN_REPLICAS_LABEL] !== 'true') return manifest
  return retainSpecFields(manifest, observed, ['replicas'])
}

function retainSpecFields(manifest: Manifest, observed: UnknownObject, names: readonly string[]): Manifest {
  const spec = fieldsIn(observed.spec)
  const kept = names.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]])
  return kept.length > 0 ? { ...manifest, spec: { ...fieldsIn(manifest.spec), ...Object.fromEntries(kept) } } : manifest
}

/** A Pod's node, service account, volumes and mounts are immutable once it runs. */
function retainPod(manifest: Manifest, observed: UnknownObject): Manifest {
  const kept = retainSpecFields(manifest, observed, ['nodeName', 'serviceAccountName', 'volumes'])
  const spec = fieldsIn(kept.spec)
  const theirs = fieldsIn(observed.spec)
  return {
    ...kept,
    spec: {
      ...spec,
      ...(spec.containers !== undefined && { containers: retainMounts(spec.containers, theirs.containers) }),
      ...(spec.initContainers !== undefined && {
        initContainers: retainMounts(spec.initContainers, theirs.initContainers),
      }),
    },
  }
}

function retainMounts(wanted: unknown, observed: unknown): unknown {
  const theirs = new Map(listIn(observed).map((container) => [container.name, container.volumeMounts]))
  return listIn(wanted).map((container) =>
    theirs.get(container.name) === undefined ? container : { ...container, volumeMounts: theirs.get(container.name) },
  )
}

function retainService(manifest: Manifest, observed: UnknownObject): Manifest {
  const { healthCheckNodePort, clusterIP } = fieldsIn(observed.spec)
  return {
    ...manifest,
    spec: {
      ...fieldsIn(manifest.spec),
      ...(Number(healthCheckNodePort) > 0 && { healthCheckNodePort }),
      ...(Boolean(clusterIP) && { clusterIP }),
    },
  }
}

function retainServiceAccount(manifest: Manifest, observed: UnknownObject): Manifest {
  const union = (name: string) => {
    const entries = [...listIn(manifest[name]), ...listIn(observed[name])]
    const byName = new Map(entries.toReversed().map((entry) => [entry.name, entry]))
    return entries.length > 0 ? { [name]: entries.filter((entry) => byName.get(entry.name) === entry) } : {}
  }
  return { ...manifest, ...union('secrets'), ...union('imagePullSecrets') }
}

/** The member's job controller generated these immutable fields. */
function retainJob(manifest: Manifest, observed: UnknownObject): Manifest {
  const spec = fieldsIn(manifest.spec)
  const theirs = fieldsIn(observed.spec)
  const matchLabels = fieldsIn(theirs.selector).matchLabels
  const labels = fieldsIn(fieldsIn(theirs.template).metadata).labels
  const template = fieldsIn(spec.template)
  return {
    ...manifest,
    spec: {
      ...spec,
      ...(matchLabels !== undefined && { selector: { ...fieldsIn(spec.selector), matchLabels } }),
      ...(labels !== undefined && { template: { ...template, metadata: { ...fieldsIn(template.metadata), labels } } }),
    },
  }
}

function retainSecret(manifest: Manifest, observed: UnknownObject): Manifest {
  if (manifest.type !== 'kubernetes.io/service-account-token') return manifest
  return { ...manifest, data: observed.data }
}
