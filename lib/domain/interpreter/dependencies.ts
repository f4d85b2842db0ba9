/** Finds the objects that a template depends on and that must be propagated with it. */
import { derivedServiceNameOf } from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import type { LabelSelectorLike } from '../../kube/selector'
import { fieldsIn, listIn } from './json-fields'
import { ruleFor, type RulesByKind } from './kind-key'
import { named, NEEDED_KINDS, type NeededKind, needing, type Needs, podNeeds } from './needs'
import type { Fields } from './shape'
import { askThirdParty, thirdPartyRule } from './third-party'

/** A reference to a dependency by name or by label selector, as bindings record it. */
export interface DependencyReference {
  apiVersion: string
  kind: string
  /** Absent for cluster-scoped kinds. */
  namespace?: string
  /** Absent with a selector. */
  name?: string
  labelSelector?: LabelSelectorLike
}

const podTemplate = (spec: unknown): Fields => fieldsIn(fieldsIn(fieldsIn(spec).template).spec)
const ofTemplate = (object: UnknownObject): Needs => podNeeds(podTemplate(object.spec))

const RULES: RulesByKind<(object: UnknownObject) => Needs> = {
  'apps/v1/Deployment': ofTemplate,
  'apps/v1/ReplicaSet': ofTemplate,
  'apps/v1/DaemonSet': ofTemplate,
  'apps/v1/StatefulSet': statefulSetNeeds,
  'batch/v1/Job': ofTemplate,
  'batch/v1/CronJob': (object) => podNeeds(podTemplate(fieldsIn(fieldsIn(object.spec).jobTemplate).spec)),
  'v1/Pod': (object) => podNeeds(fieldsIn(object.spec)),
  'networking.k8s.io/v1/Ingress': (object) => needing({ Secret: named(fieldsIn(object.spec).tls, 'secretName') }),
}

/** Kinds whose dependencies are not those of a pod template. */
const OTHER_RULES: RulesByKind<(object: UnknownObject) => DependencyReference[]> = {
  'multicluster.x-k8s.io/v1alpha1/ServiceImport': importNeeds,
}

/** Reports whether a dependency rule exists for the kind. */
export function hasDependencyRule(object: Pick<UnknownObject, 'apiVersion' | 'kind'>): boolean {
  return (ruleFor(RULES, object) ?? ruleFor(OTHER_RULES, object) ?? thirdPartyRule(object, 'needs')) !== undefined
}

/**
 * Returns the objects that a template refers to, whether they exist or not, without duplicates: ConfigMaps first, then
 * Secrets, ServiceAccounts and claims, sorted by name within a kind. For third-party kinds, kinds are sorted by name.
 * Undefined for kinds without a rule.
 */
export function interpretDependencies(object: UnknownObject): DependencyReference[] | undefined {
  const needs = ruleFor(RULES, object)?.(object)
  if (needs) return referencesOf(object, needs, NEEDED_KINDS)
  const others = askThirdParty(object, 'needs')
  if (others) return referencesOf(object, others, NEEDED_KINDS.toSorted())
  return ruleFor(OTHER_RULES, object)?.(object)
}

function referencesOf(object: UnknownObject, needs: Needs, kinds: readonly NeededKind[]): DependencyReference[] {
  const place = placeOf(object)
  return kinds.flatMap((kind) => names(needs[kind]).map((name) => ({ apiVersion: 'v1', kind, ...place, name })))
}

function placeOf({ metadata: { namespace } }: UnknownObject): { namespace?: string } {
  return { ...(namespace !== undefined && { namespace }) }
}

/** Returns the derived Service of an import and its EndpointSlices, as collected from the members. */
function importNeeds(object: UnknownObject): DependencyReference[] {
  const place = placeOf(object)
  const name = derivedServiceNameOf(object.metadata.name)
  return [
    { apiVersion: 'v1', kind: 'Service', ...place, name },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      ...place,
      labelSelector: { matchLabels: { 'kubernetes.io/service-name': name } },
    },
  ]
}

/** Returns names without duplicates and empty ones, sorted. */
function names(values: readonly unknown[]): string[] {
  const present = values.filter((value): value is string => typeof value === 'string' && value !== '')
  return [...new Set(present)].toSorted()
}

/** Members create the claims of a StatefulSet's volumeClaimTemplates, so they are no dependencies. */
function statefulSetNeeds(object: UnknownObject): Needs {
  const { volumeClaimTemplates } = fieldsIn(object.spec)
  const own = new Set(listIn(volumeClaimTemplates).map(({ metadata }) => fieldsIn(metadata).name))
  const needs = ofTemplate(object)
  return { ...needs, PersistentVolumeClaim: needs.PersistentVolumeClaim.filter((name) => !own.has(name)) }
}
