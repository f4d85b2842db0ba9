/** Computes what one replica of a workload requires of a node: resources and scheduling constraints. */
import type { ReplicaRequirements } from '../../kube/kinds/binding'
import {
  formatQuantity,
  milliQuantityOf,
  parseQuantity,
  quantityMilli,
  quantityOf,
  quantityValue,
} from '../../kube/quantity'
import { InterpretError } from './interpret-error'
import { fieldsIn, listIn } from './json-fields'
import type { Fields } from './shape'

/** Replicas and requirements of a template. */
export interface Replicas {
  replicas: number
  /** Absent if a replica has no requirements. */
  requirements?: ReplicaRequirements
}

/** Whole units by resource; millicores for CPU. */
type Amounts = Map<string, bigint>

/** Returns the requirements of a pod spec, with its priority class on request; undefined if it has none. */
export function podRequirements(podSpec: Fields, withPriority = false): ReplicaRequirements | undefined {
  const nodeClaim = nodeClaimOf(podSpec)
  const resourceRequest = resourceRequestOf(podSpec)
  if (!nodeClaim && !resourceRequest) return undefined
  const { priorityClassName } = podSpec
  return {
    ...(nodeClaim && { nodeClaim }),
    ...(resourceRequest && { resourceRequest }),
    ...(withPriority && typeof priorityClassName === 'string' && priorityClassName && { priorityClassName }),
  }
}

type NodeClaim = NonNullable<ReplicaRequirements['nodeClaim']>

function nodeClaimOf(podSpec: Fields): NodeClaim | undefined {
  const nodeSelector = fieldsIn(podSpec.nodeSelector)
  const tolerations = listIn(podSpec.tolerations)
  const required = fieldsIn(fieldsIn(podSpec.affinity).nodeAffinity).requiredDuringSchedulingIgnoredDuringExecution
  const claim = {
    ...(required !== undefined && required !== null && { hardNodeAffinity: required }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
  } as NodeClaim
  return Object.keys(claim).length > 0 ? claim : undefined
}

/**
 * Returns the sum over the containers, but at least the request of each init container, plus the overhead. A resource
 * with a limit but no request counts with its limit. Zero amounts are omitted.
 */
function resourceRequestOf(podSpec: Fields): Record<string, string> | undefined {
  const total: Amounts = new Map()
  for (const container of listIn(podSpec.containers)) combine(total, requestsOf(container), (a, b) => a + b)
  for (const container of listIn(podSpec.initContainers))
    combine(total, requestsOf(container), (a, b) => (a > b ? a : b))
  combine(total, amountsOf(fieldsIn(podSpec.overhead)), (a, b) => a + b)
  const entries = [...total].filter(([, amount]) => amount > 0n).map(([name, amount]) => [name, text(name, amount)])
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

function combine(total: Amounts, amounts: Amounts, join: (a: bigint, b: bigint) => bigint): void {
  for (const [name, amount] of amounts) total.set(name, join(total.get(name) ?? 0n, amount))
}

function requestsOf(container: Fields): Amounts {
  const { limits, requests } = fieldsIn(container.resources)
  return amountsOf({ ...fieldsIn(limits), ...fieldsIn(requests) })
}

function amountsOf(list: Fields): Amounts {
  const counted = Object.entries(list).filter(([name]) => isCounted(name))
  return new Map(counted.map(([name, value]) => [name, amount(name, value)]))
}

function amount(name: string, value: unknown): bigint {
  try {
    const quantity = parseQuantity(value as string | number)
    return name === 'cpu' ? quantityMilli(quantity) : quantityValue(quantity)
  } catch (error) {
    throw new InterpretError(`resource ${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Reports whether schedulers count the resource: built-in and extended ones, but not for instance `storage`. */
function isCounted(name: string): boolean {
  return (
    ['cpu', 'memory', 'ephemeral-storage', 'pods'].includes(name)
    || name.startsWith('hugepages-')
    || name.startsWith('attachable-volumes-')
    || name.includes('/')
  )
}

function isBinary(name: string): boolean {
  return name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-')
}

function text(name: string, amount: bigint): string {
  if (name === 'cpu') return formatQuantity(milliQuantityOf(amount))
  return formatQuantity(quantityOf(amount, isBinary(name) ? 'BinarySI' : 'DecimalSI'))
}
