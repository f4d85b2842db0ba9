/** Reads replicas and components of kinds with pod templates. */
import type { BindingComponent, ReplicaRequirements } from '../../../kube/kinds/binding'
import { formatQuantity, parseQuantity } from '../../../kube/quantity'
import { InterpretError } from '../interpret-error'
import { podRequirements, type Replicas } from '../pod-requirements'
import type { Fields } from '../shape'
import { requiredBlock } from './rule'

/** Returns the pod spec of an object's template. Throws an InterpretError if there is no template. */
export function requiredPodSpec(object: object): Fields {
  const { spec } = requiredBlock(requiredBlock(object, 'spec'), 'template')
  return (spec ?? {}) as Fields
}

/** Returns that number of replicas of a pod spec. Throws an InterpretError if it is not a number. */
export function replicasOf(replicas: unknown, podSpec: Fields): Replicas {
  const requirements = podRequirements(podSpec)
  return { replicas: wholeNumber(replicas), ...(requirements && { requirements: canonical(requirements) }) }
}

/** Returns one component of a workload, from its pod template. */
export function componentOf(name: string, replicas: unknown, template: unknown): BindingComponent {
  const podSpec = typeof template === 'object' && template !== null ? ((template as Fields).spec as Fields) : undefined
  const requirements = podSpec && podRequirements(podSpec)
  return {
    name,
    replicas: wholeNumber(replicas),
    ...(requirements && { replicaRequirements: canonical(requirements) }),
  }
}

/** Returns an amount in its canonical form. Throws an InterpretError if it is not a quantity. */
export function amountOf(amount: unknown): string {
  try {
    return formatQuantity(parseQuantity(amount as string | number))
  } catch (error) {
    throw new InterpretError(error instanceof Error ? error.message : String(error))
  }
}

function canonical<T extends Pick<ReplicaRequirements, 'resourceRequest'>>(requirements: T): T {
  const { resourceRequest } = requirements
  if (!resourceRequest) return requirements
  const entries = Object.entries(resourceRequest).map(([name, amount]) => [name, amountOf(amount)])
  return { ...requirements, resourceRequest: Object.fromEntries(entries) as Record<string, string> }
}

function wholeNumber(value: unknown): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return Math.trunc(value)
  throw new InterpretError(`replicas: expected number, found ${value === undefined ? 'nothing' : typeof value}`)
}
