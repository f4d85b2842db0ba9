/** Applies PodDisruptionBudgets to an eviction. */
import { kubeError } from '@/lib/kube/errors'
import { resourceName } from '@/lib/kube/kind'
import { type Pod, type PodDisruptionBudget, podDisruptionBudget } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { matchesLabelSelector } from '@/lib/kube/selector'
import { formatTime } from '@/lib/std/clock'
import type { Ask } from '../api'
import { forbidden, internal } from '../failures'
import type { Entry } from '../store/store'

const BUDGETS = resourceName(podDisruptionBudget)
/** Evictions that the budget's controller has not confirmed yet. */
const MAX_UNCONFIRMED = 2000

/**
 * Takes one disruption from the budget of a pod. Throws 429 when there is none left, and 500 when several budgets claim
 * the pod. Pods that do not run yet, or no longer, need no budget.
 */
export async function spendDisruption(ask: Ask, pod: Entry, dryRun: boolean): Promise<void> {
  if (!counts(pod.value as unknown as Pod)) return
  const budgets = budgetsOf(ask, pod.value)
  if (budgets.length > 1) {
    const text = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw internal(text, '')
  }
  const [budget] = budgets
  if (!budget || isSparedUnhealthy(budget.value as unknown as PodDisruptionBudget, pod.value as unknown as Pod)) return
  const spent = spend(budget.value as unknown as PodDisruptionBudget, pod.value, formatTime(ask.api.clock.now()))
  if (!dryRun) await ask.api.store.put(budget.location, spent, budget.revision)
}

function counts({ metadata, status }: Pod): boolean {
  const over = status?.phase === 'Succeeded' || status?.phase === 'Failed' || status?.phase === 'Pending'
  return !over && metadata.deletionTimestamp === undefined
}

function budgetsOf({ api, keyspace, target: { namespace } }: Ask, { metadata: { labels } }: UnknownObject): Entry[] {
  return api.store.list({ keyspace: keyspace.name, resource: BUDGETS }, { namespace }).filter(({ value }) => {
    const { selector } = (value as unknown as PodDisruptionBudget).spec
    return selector !== undefined && matchesLabelSelector(selector, labels)
  })
}

/** An unready pod may be evicted if the budget's policy allows it, or if enough others are healthy. */
function isSparedUnhealthy({ spec, status }: PodDisruptionBudget, pod: Pod): boolean {
  const ready = pod.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false
  if (ready) return false
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {}
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy
}

function spend(budget: PodDisruptionBudget, pod: UnknownObject, now: string): UnknownObject {
  const {
    metadata: { name, generation = 0 },
    status,
  } = budget
  if ((status?.observedGeneration ?? 0) < generation) {
    throw violated(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0, disruptedPods = {} } = status ?? {}
  if (disruptionsAllowed < 0) throw forbidden(podDisruptionBudget, name, 'pdb disruptions allowed is negative')
  if (Object.keys(disruptedPods).length > MAX_UNCONFIRMED) {
    const text = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller'
    throw forbidden(podDisruptionBudget, name, text)
  }
  if (disruptionsAllowed === 0) {
    throw violated(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    )
  }
  const spent = { ...disruptedPods, [pod.metadata.name]: now }
  return { ...budget, status: { ...status, disruptionsAllowed: disruptionsAllowed - 1, disruptedPods: spent } }
}

function violated(message: string, retryAfterSeconds?: number): unknown {
  const text = "Cannot evict pod as it would violate the pod's disruption budget."
  return kubeError(429, 'TooManyRequests', text, {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}
