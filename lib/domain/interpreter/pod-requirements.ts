/** What one replica of a workload needs of a node: resources and where it may run. */
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

/** What a template asks for. */
export interface Replicas {
  replicas: number
  /** Absent when a replica asks for nothing. */
  requirements?: ReplicaRequirements
}

/** Whole units by resource; thousandths for CPU. */
type Amounts = Map<string, bigint>

/** The requirements of a pod spec, with its priority class if asked; undefined when it asks for nothing. */
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
 * The sum over the containers, but at least what each init container needs, plus the overhead. A resource that a
 * container limits and does not request counts with its limit. Zero amounts are left out.
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

/** The resources that schedulers know: the built-in ones and extended ones, not for instance `storage`. */
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
