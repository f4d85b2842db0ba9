/** An outage from the symptom to the recovery, with the controllers involved. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findCondition } from '@/lib/kube/conditions'
import { cluster as clusterKind, resourceBinding as bindingKind } from '@/lib/kube/kinds'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { SIM_NODES, SIM_STATE } from '@/lib/kube/simulation'
import { aBinding } from '@/lib/testing/builders'
import { clusterController } from '@/server/reconcilers/cluster'
import { clusterStatusController } from '@/server/reconcilers/cluster-status'
import { gracefulEvictionController } from '@/server/reconcilers/graceful-eviction'
import { taintManagerController } from '@/server/reconcilers/taint-manager'
import { type Env, startEnv } from '@/server/testing/start-env'
import { memberSimulation } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

async function read() {
  const { spec, status } = await env.client.get(clusterKind, { name: 'm1' })
  return {
    ready: findCondition(status?.conditions, 'Ready')?.status,
    taints: (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`),
    nodes: status?.nodeSummary?.readyNum,
  }
}

const annotate = (annotations: Record<string, string | null>) =>
  env.client.patch(clusterKind, { name: 'm1' }, { type: 'merge', value: { metadata: { annotations } } })

test('a lost member is tainted and evacuated, and welcome again when it is back', async () => {
  const context = env.context()
  await env.run(
    ...memberSimulation(context),
    clusterStatusController(context, { frequencyMs: 1000, successThresholdMs: 2000, failureThresholdMs: 3000 }),
    clusterController(context, { noExecuteAfterMs: 5000 }),
    taintManagerController(context, { resourceEvictionRate: 20 }),
    gracefulEvictionController(context),
  )
  await env.client.create(clusterKind, {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'm1', annotations: { [SIM_NODES]: '2' } },
    spec: { syncMode: 'Push' },
  })
  await env.eventually(async () => expect(await read()).toEqual({ ready: 'True', taints: [], nodes: 2 }))
  await env.create(
    bindingKind,
    aBinding('web', {
      clusters: [{ name: 'm1', replicas: 3 }],
      metadata: { annotations: { [APPLIED_PLACEMENT_ANNOTATION]: '{}' } },
    }),
  )

  await annotate({ [SIM_STATE]: 'down' })
  await env.eventually(async () =>
    expect(await read()).toMatchObject({
      ready: 'False',
      taints: ['cluster.karmada.io/not-ready:NoSchedule', 'cluster.karmada.io/not-ready:NoExecute'],
    }),
  )
  await env.eventually(async () => {
    const { spec } = await env.client.get(bindingKind, { namespace: 'default', name: 'web-deployment' })
    expect(spec.clusters ?? []).toEqual([])
    expect(spec.gracefulEvictionTasks).toMatchObject([
      { fromCluster: 'm1', replicas: 3, reason: 'TaintUntolerated', creationTimestamp: expect.any(String) },
    ])
  })

  await annotate({ [SIM_STATE]: null, [SIM_NODES]: '3' })
  await env.eventually(async () => expect(await read()).toEqual({ ready: 'True', taints: [], nodes: 3 }))
})
