/** Advice that a real server gives with a creation. */
import { unknownFormats } from '@/lib/kube/custom-resource/unknown-formats'
import type { CustomResourceDefinition, PersistentVolume } from '@/lib/kube/kinds'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { checkDnsLabel } from '@/lib/kube/validation/formats'
import { validateFinalizerDomains } from '@/lib/kube/validation/object-meta'
import { ownField } from '@/lib/std/fields'
import { repeats } from '@/lib/std/repeats'
import type { Call } from '../call'
import type { Resource } from '../registry/resource'
import { podWarnings } from './pod-warnings'

const PODS_OF = 'Pod names and hostnames'
/** Other uses of an object's name. */
const USES: Readonly<Record<string, string>> = {
  pods: "the Pod's hostname",
  'deployments.apps': PODS_OF,
  'replicasets.apps': PODS_OF,
  'statefulsets.apps': PODS_OF,
  'jobs.batch': PODS_OF,
  'cronjobs.batch': PODS_OF,
  replicationcontrollers: PODS_OF,
}

/** Warns about deprecated, ignored and surprising fields of a new object. */
export function warnAboutNew(call: Call, resource: Resource, sent: Partial<ObjectMeta>, stored: UnknownObject): void {
  warnAboutMetadata(call, resource, sent, stored.metadata.name)
  for (const text of [...podWarnings(resource, stored), ...(ownField(ADVICE, resource.id)?.(stored) ?? [])])
    call.warn(text)
}

/** Warns about changed templates of pods, and about formats that a change brings to the schemas of a definition. */
export function warnAboutChange(call: Call, resource: Resource, old: UnknownObject, stored: UnknownObject): void {
  const before = new Set(old.metadata.finalizers)
  warnAboutFinalizers(
    call,
    resource,
    stored.metadata.finalizers?.filter((name) => !before.has(name)),
  )
  // Pods themselves are changed too often to be looked at again.
  if (resource.id !== 'pods' && stored.metadata.generation !== old.metadata.generation)
    for (const text of podWarnings(resource, stored)) call.warn(text)
  if (resource.id !== DEFINITIONS) return
  const known = formatsIn(old)
  for (const format of formatsIn(stored)) if (!known.has(format)) call.warn(formatWarning(format))
}

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io'
const formatsIn = ({ spec }: UnknownObject): Set<string> => unknownFormats(spec as CustomResourceDefinition['spec'])
const formatWarning = (format: string): string => `unrecognized format ${JSON.stringify(format)}`

const ADVICE: Readonly<Record<string, (object: UnknownObject) => string[]>> = {
  'ingresses.networking.k8s.io': ({ metadata }) =>
    metadata.annotations?.['kubernetes.io/ingress.class'] === undefined
      ? []
      : [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`],
  [DEFINITIONS]: (definition) => [...formatsIn(definition)].map(formatWarning),
  persistentvolumes: ({ spec }) =>
    (spec as PersistentVolume['spec']).persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. '
            + 'Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : [],
}

const CONFLICTS = 'to avoid accidental conflicts with other finalizer writers'

/** Finalizers of custom kinds should name their owner's domain. */
function warnAboutFinalizers(call: Call, resource: Resource, finalizers: readonly string[] | undefined): void {
  if (!resource.custom || !finalizers) return
  const names = [...new Set(finalizers)].toSorted()
  for (const name of names) {
    if (validateFinalizerDomains({ finalizers: [name] }).length === 0) continue
    const path = name.includes('.') ? ' including a path (/)' : ''
    call.warn(
      `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer name${path} ${CONFLICTS}`,
    )
  }
}

/** A name that makes no good host name, and an owner that is named twice. */
function warnAboutMetadata(call: Call, resource: Resource, sent: Partial<ObjectMeta>, name: string): void {
  const use = ownField(USES, resource.id)
  const problems = use === undefined ? [] : checkDnsLabel(name)
  if (problems.length > 0) {
    const advice = `which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`
    call.warn(`metadata.name: this is used in ${use}, ${advice}`)
  }
  warnAboutFinalizers(call, resource, sent.finalizers)
  const isRepeated = repeats()
  const repeated = new Set((sent.ownerReferences ?? []).map(({ uid }) => uid).filter(isRepeated))
  if (repeated.size === 0) return
  call.warn(
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and '
      + 'may reject such requests as early as 1.24; please fix your requests; '
      + `duplicate UID(s) observed: ${[...repeated].join(', ')}`,
  )
}
