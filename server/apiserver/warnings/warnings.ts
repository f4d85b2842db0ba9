/** Advice that a real server gives with a creation or a change. */
import { unknownFormats } from '@/lib/kube/custom-resource/unknown-formats'
import type { CustomResourceDefinition } from '@/lib/kube/kinds'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { checkDnsLabel } from '@/lib/kube/validation/formats'
import { validateFinalizerDomains } from '@/lib/kube/validation/object-meta'
import { deepEqual } from '@/lib/std/equal'
import { ownField } from '@/lib/std/fields'
import { repeats } from '@/lib/std/repeats'
import type { Ask } from '../api'
import type { Call } from '../call'
import type { Resource } from '../registry/resource'
import { kindWarnings, statusWarnings } from './kinds'
import { podWarnings } from './pod'

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
  if (!call.readsWarnings) return
  warnAboutMetadata(call, resource, sent, stored.metadata.name)
  const { id } = resource
  for (const text of [...podWarnings(resource, stored), ...kindWarnings(id, stored), ...formatWarnings(id, stored)])
    call.warn(text)
}

/** Warns about what a change leaves as it should not be. Of the status, only what stands there is looked at. */
export function warnAboutChange({ call, resource, target }: Ask, old: UnknownObject, stored: UnknownObject): void {
  if (!call.readsWarnings) return
  const before = new Set(old.metadata.finalizers)
  warnAboutFinalizers(
    call,
    resource,
    stored.metadata.finalizers?.filter((name) => !before.has(name)),
  )
  const isStatus = target.subresource === 'status'
  for (const text of isStatus ? statusWarnings(resource.id, stored) : changeWarnings(resource, stored, old))
    call.warn(text)
}

function changeWarnings(resource: Resource, stored: UnknownObject, old: UnknownObject): string[] {
  const templates = hasNewTemplate(resource.id, stored, old)
    ? podWarnings(resource, judged(resource.id, stored, old))
    : []
  return [...templates, ...kindWarnings(resource.id, stored, old), ...formatWarnings(resource.id, stored, old)]
}

/** Pods themselves are changed too often to be looked at again. */
function hasNewTemplate(id: string, stored: UnknownObject, old: UnknownObject): boolean {
  if (id === 'daemonsets.apps') return !deepEqual(templateOf(stored), templateOf(old))
  return id !== 'pods' && stored.metadata.generation !== old.metadata.generation
}

const templateOf = ({ spec }: UnknownObject): unknown => (spec as { template?: unknown } | undefined)?.template

/** Of a ReplicationController, kube-apiserver looks at the template that was there before. */
const judged = (id: string, stored: UnknownObject, old: UnknownObject): UnknownObject =>
  id === 'replicationcontrollers' ? old : stored

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io'
const formatsIn = ({ spec }: UnknownObject): Set<string> => unknownFormats(spec as CustomResourceDefinition['spec'])

/** About the formats that the schemas of a definition did not have before. */
function formatWarnings(id: string, stored: UnknownObject, old?: UnknownObject): string[] {
  if (id !== DEFINITIONS) return []
  const known = old ? formatsIn(old) : new Set<string>()
  return [...formatsIn(stored)]
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`)
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
