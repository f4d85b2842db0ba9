/** Waits until the product has finished an action, as seen by kubectl. */
import type { Kubectl } from '@/e2e/support/kubectl'
import type { Stage } from '../stage'

const WITHIN_MS = 90_000
const POLL_MS = 250

/** Resolves when `what` is true of what `look` returns. */
export async function until<T>(name: string, look: () => Promise<T>, what: (seen: T) => boolean): Promise<void> {
  const end = performance.now() + WITHIN_MS
  let seen = await look()
  while (!what(seen)) {
    if (performance.now() > end) throw new Error(`${name}: still ${JSON.stringify(seen)}`)
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS)
    })
    seen = await look()
  }
}

interface Deployment {
  metadata: { namespace: string; name: string }
  spec: { replicas: number }
  status?: { readyReplicas?: number; replicas?: number }
}

type Counted = 'replicas' | 'readyReplicas'

/** Deployments by `namespace/name` with their replicas of a kind, as the members report them. */
export async function countsOf(kubectl: Kubectl, counted: Counted): Promise<Record<string, number>> {
  const { items } = await kubectl.json<{ items: Deployment[] }>(['get', 'deployments', '-A'])
  return Object.fromEntries(
    items.map(({ metadata, status }) => [`${metadata.namespace}/${metadata.name}`, status?.[counted] ?? 0]),
  )
}

/** Waits until these have exactly so many replicas. */
export async function untilCounts(
  kubectl: Kubectl,
  counted: Counted,
  expected: Readonly<Record<string, number>>,
): Promise<void> {
  await until(
    counted,
    () => countsOf(kubectl, counted),
    (counts) => Object.entries(expected).every(([name, count]) => counts[name] === count),
  )
}

/** Waits until a field of an object, as a JSON path, has the value. */
export async function untilField(kubectl: Kubectl, args: readonly string[], value: string): Promise<void> {
  await until(
    args.join(' '),
    async () => (await kubectl.tryRun(['get', ...args])).stdout,
    (text) => text === value,
  )
}

const STILL_MS = 3_500
const WATCHED = 'clusters,resourcebindings,works,deployments,queues,rebalanceplans'

/** Moves the stage's clock, and waits until the controllers have done all that is due by then. */
export async function goOn(stage: Stage, time: string): Promise<void> {
  stage.setTime(time)
  await settle(stage.kubectl)
}

/** Waits until nothing changes any more without an advance of the clock. */
export async function settle(kubectl: Kubectl): Promise<void> {
  let [last, since] = ['', performance.now()]
  await until(
    'objects that change',
    async () => {
      const now = await kubectl.run(['get', WATCHED, '-A', '-o', 'json'])
      if (now !== last) [last, since] = [now, performance.now()]
      return performance.now() - since
    },
    (still) => still >= STILL_MS,
  )
}
