/** Sums the requests of pods as Karmada's cluster status controller does. */
import type { Node, Pod, PodSpec } from '../../kube/kinds'
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

/** Reports whether a pod takes room on a node. */
export const isRunning = ({ spec, status }: Pod): boolean =>
  Boolean(spec.nodeName) && status?.phase !== 'Succeeded' && status?.phase !== 'Failed'

/**
 * Adds the requests of a pod: containers and overhead are summed, limits do not count. An init container raises the
 * running total to its own request instead of being compared within its pod, so totals depend on the order of the pods,
 * as upstream.
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

/**
 * Returns what pods request, added one after the other, and their number. Most pods of a cluster are copies of few
 * templates, so the requests of equal pods are read once and multiplied; a pod with init containers depends on the total
 * before it and is added alone.
 */
export function requestsOf(pods: readonly Pod[]): Amounts {
  const amounts: Amounts = new Map()
  const alike = new Map<string, { spec: PodSpec; n: bigint }>()
  const addAlike = (): void => {
    for (const { spec, n } of alike.values()) {
      const one: Amounts = new Map()
      addPodRequests(one, spec)
      for (const [name, { nano, format }] of one) add(amounts, name, { nano: nano * n, format })
    }
    alike.clear()
  }
  for (const { spec } of pods) {
    if (spec.initContainers?.length) {
      addAlike()
      addPodRequests(amounts, spec)
      continue
    }
    const requests = textOf(spec)
    const known = alike.get(requests)
    if (known) known.n += 1n
    else alike.set(requests, { spec, n: 1n })
  }
  addAlike()
  add(amounts, 'pods', quantityOf(pods.length))
  return amounts
}

/** The same text for the same requests. Computed for each pod, so it is put together by hand. */
function textOf({ containers = [], overhead }: PodSpec): string {
  let text = ''
  for (const list of [...containers.map(({ resources }) => resources?.requests), overhead]) {
    text += '\n'
    for (const name in list) text += `${name} ${list[name]} `
  }
  return text
}

/** Returns the amounts without zeros, as a resource list is written. */
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

/**
 * Yields requests in millicores of CPU and whole units of other resources; resources that are not schedulable are
 * ignored.
 */
function* counted(list: ResourceList | undefined): Generator<[string, Quantity]> {
  for (const [name, text] of Object.entries(list ?? {})) {
    if (name === 'cpu') yield [name, milliQuantityOf(quantityMilli(parseQuantity(text)))]
    else if (isBinary(name)) yield [name, quantityOf(quantityValue(parseQuantity(text)), 'BinarySI')]
    else if (isScalar(name)) yield [name, quantityOf(quantityValue(parseQuantity(text)))]
  }
}

const isBinary = (name: string): boolean =>
  name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-')

/**
 * Reports whether a resource is a scalar one: extended, prefixed native, or attachable volumes. `pods` is not, because
 * it is counted rather than requested.
 */
function isScalar(name: string): boolean {
  return (
    name.startsWith('attachable-volumes-')
    || name.includes('kubernetes.io/')
    || (name.includes('/') && !name.startsWith('requests.'))
  )
}
