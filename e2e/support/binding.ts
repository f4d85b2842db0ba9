/** Bindings read through kubectl, and waiting for what they say. */
import { expect } from '@playwright/test'
import type { Kubectl } from './kubectl'

interface Binding {
  metadata: { name: string; generation: number }
  spec: { clusters?: { name: string; replicas?: number }[]; rescheduleTriggeredAt?: string }
  status?: { lastScheduledTime?: string; conditions?: { type: string; status: string; reason: string }[] }
}

/** `spec.clusters` as a record. */
export async function scheduledTo(kubectl: Kubectl, name: string): Promise<Record<string, number>> {
  const binding = await kubectl.json<Binding>(['get', 'resourcebinding', name])
  return Object.fromEntries((binding.spec.clusters ?? []).map((cluster) => [cluster.name, cluster.replicas ?? 0]))
}

/** Waits until the binding's result and the pods that run in the members are exactly these. */
export async function expectPlaced(kubectl: Kubectl, app: string, expected: Record<string, number>): Promise<void> {
  await expect.poll(() => scheduledTo(kubectl, `${app}-deployment`), { timeout: 60_000 }).toEqual(expected)
  for (const [cluster, replicas] of Object.entries(expected)) {
    await expect.poll(async () => (await kubectl.memberPods(cluster, 'default', app))
      .filter((pod) => pod.status?.phase === 'Running').length, { timeout: 60_000 }).toBe(replicas)
  }
}

/** Waits for the Ready condition of a cluster, as `kubectl wait` does. */
export async function waitForCluster(kubectl: Kubectl, name: string, ready: boolean): Promise<void> {
  await kubectl.run(['wait', `cluster/${name}`, `--for=condition=Ready=${ready ? 'True' : 'False'}`, '--timeout=60s'])
}
