/** Judges the health of a member's object. */
import type { UnknownObject } from '../../kube/object'
import { InterpretError } from './interpret-error'
import { ruleFor, type RulesByKind } from './kind-key'
import { asObject, conform, type Fields, type Shape, fieldsOf, pointer, shapes, struct } from './shape'
import { askThirdParty, thirdPartyRule } from './third-party'

export type Health = 'Healthy' | 'Unhealthy' | 'Unknown'

type IsHealthy = (object: UnknownObject) => boolean

/** Reports whether the kind has a health rule. Objects of a kind without one always count as Healthy. */
export function hasHealthRule(object: Pick<UnknownObject, 'apiVersion' | 'kind'>): boolean {
  return (ruleFor(RULES, object) ?? thirdPartyRule(object, 'isHealthy')) !== undefined
}

/**
 * Reports whether the object is healthy by the rule of its kind; true for kinds without a rule. Throws an
 * InterpretError if a field that the rule reads has a wrong type.
 */
export function interpretHealth(object: UnknownObject): boolean {
  return ruleFor(RULES, object)?.(object) ?? askThirdParty(object, 'isHealthy') ?? true
}

const RULES: RulesByKind<IsHealthy> = {
  'apps/v1/Deployment': isRolloutComplete,
  'apps/v1/StatefulSet': isRolloutComplete,
  'apps/v1/ReplicaSet': isReplicaSetHealthy,
  'apps/v1/DaemonSet': isDaemonSetHealthy,
  'v1/Pod': isPodHealthy,
  'v1/Service': isServiceHealthy,
  'networking.k8s.io/v1/Ingress': hasIngressPoint,
  'v1/PersistentVolumeClaim': (object) => block(object, 'status').phase === 'Bound',
  'policy/v1/PodDisruptionBudget': (object) => {
    const status = numbers(object, 'status', ['currentHealthy', 'desiredHealthy'])
    return status('currentHealthy') >= status('desiredHealthy')
  },
}

/** Every replica runs the newest template and is available. */
function isRolloutComplete(object: UnknownObject): boolean {
  const wanted = numbers(object, 'spec', ['replicas'])('replicas')
  const status = numbers(object, 'status', ['observedGeneration', 'updatedReplicas', 'availableReplicas'])
  return (
    status('observedGeneration') === generationOf(object)
    && status('updatedReplicas') >= wanted
    && status('availableReplicas') >= status('updatedReplicas')
  )
}

function isReplicaSetHealthy(object: UnknownObject): boolean {
  const wanted = numbers(object, 'spec', ['replicas'])('replicas')
  const status = numbers(object, 'status', ['observedGeneration', 'availableReplicas'])
  return status('observedGeneration') === generationOf(object) && status('availableReplicas') >= wanted
}

function isDaemonSetHealthy(object: UnknownObject): boolean {
  const status = numbers(object, 'status', [
    'observedGeneration',
    'updatedNumberScheduled',
    'desiredNumberScheduled',
    'numberAvailable',
  ])
  return (
    status('observedGeneration') === generationOf(object)
    && status('updatedNumberScheduled') >= status('desiredNumberScheduled')
    && status('numberAvailable') >= status('updatedNumberScheduled')
  )
}

function isPodHealthy(object: UnknownObject): boolean {
  const status = block(object, 'status')
  if (status.phase === 'Succeeded') return true
  const conditions = listOfBlocks(status.conditions, 'status.conditions')
  return status.phase === 'Running' && conditions.find(({ type }) => type === 'Ready')?.status === 'True'
}

function isServiceHealthy(object: UnknownObject): boolean {
  return block(object, 'spec').type !== 'LoadBalancer' || hasIngressPoint(object)
}

/** Reports whether a load balancer entry contains an address. */
function hasIngressPoint(object: UnknownObject): boolean {
  const { loadBalancer } = block(object, 'status')
  if (loadBalancer === undefined || loadBalancer === null) return false
  const { ingress } = asObject(loadBalancer, 'status.loadBalancer')
  const points = listOfBlocks(ingress, 'status.loadBalancer.ingress')
  return points.some(({ hostname, ip }) => Boolean(hostname) || Boolean(ip))
}

function generationOf(object: UnknownObject): number {
  return (object.metadata as UnknownObject['metadata'] | undefined)?.generation ?? 0
}

function block(object: UnknownObject, name: string): Fields {
  const value = object[name]
  return value === undefined || value === null ? {} : asObject(value, name)
}

function listOfBlocks(value: unknown, path: string): Fields[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new InterpretError(`${path}: expected array, found ${typeof value}`)
  return value.map((item, index) => asObject(item, `${path}[${index}]`))
}

/** Reads whole numbers of a block; absent fields count as 0. */
function numbers(object: UnknownObject, name: string, names: readonly string[]): (field: string) => number {
  const [generations, counts] = [names.filter(isGeneration), names.filter((each) => !isGeneration(each))]
  const shape: Shape = struct({
    ...fieldsOf(generations, pointer(shapes.integer)),
    ...fieldsOf(counts, pointer(shapes.int32)),
  })
  const values = conform(shape, block(object, name), name) as Record<string, number>
  return (field) => values[field] ?? 0
}

const isGeneration = (name: string): boolean => name === 'observedGeneration'
