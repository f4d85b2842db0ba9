/**
 * Helpers for tests with a complete federation: workloads in the clusters where a failover left them, and plans about
 * them.
 */
import { expect } from 'vitest'
import {
  cluster as clusterKind,
  deployment,
  propagationPolicy,
  rebalancePlan,
  type RebalancePlanObject,
  type RebalancePlanSpec,
  resourceBinding,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import type { Placement } from '@/lib/kube/kinds/placement'
import { SIM_NODES, SIM_READY_AFTER } from '@/lib/kube/simulation'
import { aDeployment, aPolicy, byAvailableReplicas } from '@/lib/testing/builders'
import type { Controller } from '@/server/runtime/controller'
import type { Env } from '@/server/testing/start-env'

export const refOf = (name: string) => ({ namespace: 'default', name: `${name}-deployment` })
export const workloadOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name })

/** Returns replicas by cluster. */
export const placedIn = ({ spec }: ResourceBinding): Record<string, number> =>
  Object.fromEntries((spec.clusters ?? []).map(({ name, replicas = 0 }) => [name, replicas]))

/** Returns helpers for the fleet. */
export function runningFleet(env: Env, clusters: readonly string[] = ['member1', 'member2']) {
  const read = (name: string): Promise<ResourceBinding> => env.client.get(resourceBinding, refOf(name))
  const readPlan = (name: string): Promise<RebalancePlanObject> => env.client.get(rebalancePlan, { name })

  /** Starts clusters, controllers and one policy; the test starts the plan controller. */
  async function start(loops: readonly Controller[], placement: Placement = byAvailableReplicas()): Promise<void> {
    for (const name of clusters) {
      await env.createCluster(name, { annotations: { [SIM_NODES]: '4', [SIM_READY_AFTER]: '500ms' } })
      await env.createNamespace(`karmada-es-${name}`)
    }
    await env.run(...loops)
    await env.client.create(propagationPolicy, aPolicy('all', { placement }))
  }

  /** Creates Deployments with all replicas ready in exactly these clusters, as a failover would have left them. */
  async function settleIn(placed: Record<string, number>, ...names: string[]): Promise<void> {
    const replicas = Object.values(placed).reduce((sum, count) => sum + count, 0)
    for (const name of names) await env.client.create(deployment, aDeployment(name, { replicas }))
    await Promise.all(
      names.map((name) =>
        env.eventually(async () => {
          expect((await read(name)).status?.lastScheduledTime).toBeDefined()
        }),
      ),
    )
    for (const name of names) {
      const spec = { clusters: Object.entries(placed).map(([cluster, count]) => ({ name: cluster, replicas: count })) }
      await env.eventually(async () =>
        env.client.patch(resourceBinding, refOf(name), { type: 'merge', value: { spec } }),
      )
    }
    await Promise.all(
      names.map((name) =>
        env.eventually(async () => {
          const binding = await read(name)
          expect(placedIn(binding)).toEqual(placed)
          expect(readyOf(binding)).toEqual(placed)
        }),
      ),
    )
    await env.advance(2000)
  }

  const create = (
    name: string,
    names: readonly string[],
    spec: Partial<RebalancePlanSpec> = {},
  ): Promise<RebalancePlanObject> =>
    env.client.create(rebalancePlan, {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'RebalancePlan',
      metadata: { name },
      spec: { workloads: names.map(workloadOf), ...spec },
    })
  const change = (name: string, spec: Partial<RebalancePlanSpec>): Promise<RebalancePlanObject> =>
    env.client.patch(rebalancePlan, { name }, { type: 'merge', value: { spec } })
  const reaches = (name: string, phase: string): Promise<RebalancePlanObject> =>
    env.eventually(async () => {
      const plan = await readPlan(name)
      expect(plan.status?.phase).toBe(phase)
      return plan
    })
  const annotate = (cluster: string, annotations: Record<string, string | null>) =>
    env.client.patch(clusterKind, { name: cluster }, { type: 'merge', value: { metadata: { annotations } } })
  return { start, settleIn, read, readPlan, create, change, reaches, annotate }
}

/** Returns the ready replicas by cluster, as the binding reports them. */
export function readyOf({ status }: ResourceBinding): Record<string, number> {
  return Object.fromEntries(
    (status?.aggregatedStatus ?? []).flatMap(({ clusterName, status: reported }) => {
      const ready = reported?.['readyReplicas']
      return typeof ready === 'number' && ready > 0 ? [[clusterName, ready]] : []
    }),
  )
}
