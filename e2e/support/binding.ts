/** Reads bindings through kubectl, and waits for their state. */
import { expect } from '@playwright/test'
import type { Kubectl } from './kubectl'

interface Binding {
  metadata: { name: string; generation: number }
  spec: { clusters?: { name: string; replicas?: number }[]; rescheduleTriggeredAt?: string }
  status?: { lastScheduledTime?: string; conditions?: { type: string; status: string; reason: string }[] }
}

/** `spec.clusters` as a record; empty also while there is no such binding yet. */
export async function scheduledTo(
  kubectl: Kubectl,
  name: string,
  namespace = 'default',
): Promise<Record<string, number>> {
  const { spec } = (await kubectl.find<Binding>(['resourcebinding', name, '-n', namespace])) ?? {}
  return Object.fromEntries((spec?.clusters ?? []).map((cluster) => [cluster.name, cluster.replicas ?? 0]))
}

/** Waits until the scheduler has placed it; `binding` as kubectl names it, which may not be there yet. */
export async function waitUntilScheduled(kubectl: Kubectl, binding: string): Promise<void> {
  const scheduled = async () =>
    (await kubectl.find<Binding>([binding]))?.status?.conditions?.find(({ type }) => type === 'Scheduled')?.status
  await expect.poll(scheduled, { timeout: 60_000 }).toBe('True')
}

/** Waits until the binding's result and the pods that run in the members are exactly these. */
export async function expectPlaced(kubectl: Kubectl, app: string, expected: Record<string, number>): Promise<void> {
  await expect.poll(() => scheduledTo(kubectl, `${app}-deployment`), { timeout: 60_000 }).toEqual(expected)
  for (const [cluster, replicas] of Object.entries(expected)) {
    await expect
      .poll(
        async () =>
          (await kubectl.memberPods(cluster, 'default', app)).filter((pod) => pod.status?.phase === 'Running').length,
        { timeout: 60_000 },
      )
      .toBe(replicas)
  }
}

/** A quantity of CPU in thousandths. */
export const milli = (text = '0'): number => (text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000)

/** Waits until the clusters report exactly this much requested CPU: the scheduler takes unreported requests as free. */
export async function expectRequested(kubectl: Kubectl, cpu: number): Promise<void> {
  interface Clusters {
    items: { status?: { resourceSummary?: { allocated?: Record<string, string> } } }[]
  }
  const requested = async () =>
    (await kubectl.json<Clusters>(['get', 'clusters'])).items
      .map(({ status }) => milli(status?.resourceSummary?.allocated?.['cpu']))
      .reduce((sum, each) => sum + each, 0)
  await expect.poll(requested, { timeout: 60_000 }).toBe(cpu * 1000)
}

/** Waits for the Ready condition of a cluster, as `kubectl wait` does. */
export async function waitForCluster(kubectl: Kubectl, name: string, ready: boolean): Promise<void> {
  await kubectl.run(['wait', `cluster/${name}`, `--for=condition=Ready=${ready ? 'True' : 'False'}`, '--timeout=60s'])
}
