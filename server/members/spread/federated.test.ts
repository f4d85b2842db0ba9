/** A WorkloadSpread and its CloneSet travel by one policy; what each cluster makes of the subsets comes back. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  cloneSet as cloneSetKind,
  node as nodeKind,
  propagationPolicy as policyKind,
  resourceBinding as bindingKind,
  workloadSpread as spreadKind,
} from '@/lib/kube/kinds'
import { SIM_NODES, SIM_READY_AFTER } from '@/lib/kube/simulation'
import { bindingController } from '@/server/reconcilers/binding'
import { bindingStatusController } from '@/server/reconcilers/binding-status'
import { clusterController } from '@/server/reconcilers/cluster'
import { clusterStatusController } from '@/server/reconcilers/cluster-status'
import { detectorController } from '@/server/reconcilers/detector'
import { executionController } from '@/server/reconcilers/execution'
import { schedulerController } from '@/server/reconcilers/scheduler'
import { workStatusController } from '@/server/reconcilers/work-status'
import { type Env, startEnv } from '@/server/testing/start-env'
import { memberSimulation } from '..'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  const context = env.context()
  await env.run(
    ...memberSimulation(context),
    clusterStatusController(context),
    clusterController(context),
    detectorController(context),
    schedulerController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
  )
  for (const name of ['m1', 'm2']) {
    await env.createCluster(name, { annotations: { [SIM_NODES]: '2', [SIM_READY_AFTER]: '0s' } })
    const member = env.client.member(name)
    await env.eventually(async () => expect((await member.list(nodeKind)).items).toHaveLength(2))
    for (const [index, zone] of ['normal', 'elastic'].entries()) {
      await member.patch(
        nodeKind,
        { name: `${name}-node-${index + 1}` },
        { type: 'merge', value: { metadata: { labels: { zone } } } },
      )
    }
  }
})
afterEach(() => env.close())

const labels = { app: 'web' }
const subset = (name: string, maxReplicas?: number | string) => ({
  name,
  ...(maxReplicas !== undefined && { maxReplicas }),
  requiredNodeSelector: { matchExpressions: [{ key: 'zone', operator: 'In', values: [name] }] },
})
const target = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', name: 'web' }
const spreadBinding = { namespace: 'default', name: 'web-workloadspread' }

async function propagate(clusters: string[], subsets: object[]): Promise<void> {
  await env.client.create(policyKind, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      resourceSelectors: [
        { apiVersion: 'apps.kruise.io/v1beta1', kind: 'WorkloadSpread' },
        { apiVersion: target.apiVersion, kind: target.kind },
      ],
      placement: { clusterAffinity: { clusterNames: clusters } },
    },
  })
  await env.client.create(spreadKind, {
    apiVersion: 'apps.kruise.io/v1beta1',
    kind: 'WorkloadSpread',
    metadata: { name: 'web', namespace: 'default' },
    spec: { targetRef: target, subsets } as never,
  })
}

/** What each cluster says of the spread, by cluster. */
async function reported(): Promise<{ clusterName: string; applied?: boolean; status?: unknown }[]> {
  const { status } = await env.client.get(bindingKind, spreadBinding)
  return (status?.aggregatedStatus ?? []).toSorted((a, b) => (a.clusterName < b.clusterName ? -1 : 1))
}

test('numbers of subsets come back for each cluster', { timeout: 60_000 }, async () => {
  await propagate(['m1', 'm2'], [subset('normal', 3), subset('elastic')])
  // Pods that come before the spread stay where they are.
  await env.eventually(async () => expect((await reported()).map(({ applied }) => applied)).toEqual([true, true]))
  await env.client.create(cloneSetKind, {
    ...target,
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web' }] } },
    },
  })
  const rows = [
    { name: 'normal', replicas: 3, missingReplicas: 0 },
    { name: 'elastic', replicas: 1, missingReplicas: -1 },
  ]
  const status = { observedGeneration: 1, subsetStatuses: rows, versionedSubsetStatuses: { versionIgnored: rows } }
  await env.eventually(
    async () => {
      expect(await reported()).toMatchObject([
        { clusterName: 'm1', applied: true, status },
        { clusterName: 'm2', applied: true, status },
      ])
    },
    { timeoutMs: 30_000 },
  )
})

test('a refusal by a member is reported on the template of the spread', { timeout: 60_000 }, async () => {
  await env.client
    .member('m1')
    .create(spreadKind, {
      apiVersion: 'apps.kruise.io/v1beta1',
      kind: 'WorkloadSpread',
      metadata: { name: 'local', namespace: 'default' },
      spec: { targetRef: target, subsets: [subset('normal')] } as never,
    })
  await propagate(['m1'], [subset('normal', 3), subset('elastic')])
  await env.eventually(
    async () => {
      const [item] = (await env.client.get(bindingKind, spreadBinding)).status?.aggregatedStatus ?? []
      expect(item).toMatchObject({
        clusterName: 'm1',
        appliedMessage: expect.stringContaining('in conflict with other WorkloadSpread local') as string,
      })
    },
    { timeoutMs: 30_000 },
  )
})
