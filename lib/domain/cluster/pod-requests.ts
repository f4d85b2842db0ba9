/** What pods reserve, counted the way the control plane counts it. */
import type { Node, PodSpec } from '../../kube/kinds'
import {
  addQuantity,
  compareQuantity,
  milliQuantityOf,
  parseQuantity,
  quantityMilli,
  quantityOf,
  quantityValue,
  type Quantity,
} from '../../kube/quantity'

/** Amounts by resource name. */
export type Amounts = Map<string, Quantity>

type ResourceList = NonNullable<NonNullable<Node['status']>['allocatable']>

/** Adds one list of quantities, exactly. */
export function addList(amounts: Amounts, list: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) add(amounts, name, parseQuantity(text))
}

/** Adds what a number of pods take of the resource `pods`. */
export function addPods(amounts: Amounts, count: number): void {
  add(amounts, 'pods', quantityOf(count))
}

/**
 * Adds the requests of a pod: containers and overhead are summed. An init container raises the running total to its
 * own request instead of being compared within its pod, so totals depend on the order of the pods, as upstream.
 * Limits do not count.
 */
export function addPodRequests(amounts: Amounts, spec: PodSpec): void {
  for (const container of spec.containers ?? []) addCounted(amounts, container.resources?.requests)
  for (const container of spec.initContainers ?? []) {
    for (const [name, quantity] of counted(container.resources?.requests)) {
      const total = amounts.get(name)
      if (!total || compareQuantity(total, quantity) < 0) amounts.set(name, quantity)
    }
  }
  addCounted(amounts, spec.overhead)
}

/** As a resource list is written; what is zero is left out. */
export function toResourceList(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([, quantity]) => quantity.nano !== 0n))
}

function add(amounts: Amounts, name: string, quantity: Quantity): void {
  const total = amounts.get(name)
  amounts.set(name, total ? addQuantity(total, quantity) : quantity)
}

function addCounted(amounts: Amounts, list: ResourceList | undefined): void {
  for (const [name, quantity] of counted(list)) add(amounts, name, quantity)
}

/** Requests as whole thousandths of CPU and whole units of everything else; names of no scheduled resource are ignored. */
function* counted(list: ResourceList | undefined): Generator<[string, Quantity]> {
  for (const [name, text] of Object.entries(list ?? {})) {
    if (name === 'cpu') yield [name, milliQuantityOf(quantityMilli(parseQuantity(text)))]
    else if (isBinary(name)) yield [name, quantityOf(quantityValue(parseQuantity(text)), 'BinarySI')]
    else if (isScalar(name)) yield [name, quantityOf(quantityValue(parseQuantity(text)))]
  }
}

const isBinary = (name: string): boolean =>
  name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-')

/** Extended resources, prefixed native ones and volumes; `pods` is counted, not requested. */
function isScalar(name: string): boolean {
  return (
    name.startsWith('attachable-volumes-')
    || name.includes('kubernetes.io/')
    || (name.includes('/') && !name.startsWith('requests.'))
  )
}
