/** What the containers of a pod ask for together. */
import type { Container, PodSpec } from './kinds'
import { addQuantity, compareQuantity, type Quantity, tryParseQuantity } from './quantity'

type Amounts = ReadonlyMap<string, Quantity>
type List = 'limits' | 'requests'

/**
 * The sum of a list over the containers that run beside each other. Those that run before them count while they do, beside
 * those that stay.
 */
export function sumOfContainers({ containers = [], initContainers = [] }: PodSpec, list: List): Amounts {
  let [staying, most]: Amounts[] = [new Map(), new Map()]
  for (const container of initContainers) {
    const own = amountsOf(container, list)
    const stays = container.restartPolicy === 'Always'
    const during = sum(staying!, own)
    if (stays) staying = during
    most = larger(most!, during)
  }
  const lasting = containers.reduce((total, container) => sum(total, amountsOf(container, list)), staying!)
  return larger(lasting, most!)
}

function amountsOf({ resources }: Container, list: List): Amounts {
  return new Map(
    Object.entries(resources?.[list] ?? {}).flatMap(([name, amount]) => {
      const quantity = tryParseQuantity(amount)
      return quantity ? [[name, quantity] as const] : []
    }),
  )
}

function merge(one: Amounts, other: Amounts, of: (a: Quantity, b: Quantity) => Quantity): Amounts {
  const merged = new Map(one)
  for (const [name, quantity] of other) {
    const before = merged.get(name)
    merged.set(name, before ? of(before, quantity) : quantity)
  }
  return merged
}

const sum = (one: Amounts, other: Amounts): Amounts => merge(one, other, addQuantity)

const larger = (one: Amounts, other: Amounts): Amounts =>
  merge(one, other, (a, b) => (compareQuantity(a, b) < 0 ? b : a))
