/** Compares the status of a member with the one that a real control plane wrote for the same nodes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cluster as clusterKind, type Cluster, node as nodeKind } from '@/lib/kube/kinds'
import { SIM_NODES } from '@/lib/kube/simulation'
import { type Env, startEnv } from '@/server/testing/start-env'
import { clusterController } from '../cluster'
import { appliedDraft, comparable, readObserved } from '../testing/observed-objects'
import { clusterStatusController } from '.'

const observed = readObserved('cluster')[0]! as unknown as Cluster

let env: Env
beforeEach(async () => {
  env = await startEnv()
  await env.run(clusterController(env.context()), clusterStatusController(env.context()))
})
afterEach(() => env.close())

async function joinAsObserved(): Promise<void> {
  const draft = appliedDraft<Cluster>(observed as never)!
  await env.client.create(clusterKind, { ...draft, metadata: { ...draft.metadata, annotations: { [SIM_NODES]: '0' } } })
  const member = env.client.member('member1')
  const capacity = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '500Gi', pods: '20k' }
  for (const name of ['n1', 'n2', 'n3']) {
    await member.create(nodeKind, { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} })
    const status = { capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: 'True' }] }
    await member.patch(nodeKind, { name }, { type: 'merge', value: { status } }, { subresource: 'status' })
  }
}

/** The parts of a Cluster that do not depend on the kinds that a member serves. */
const figures = ({ metadata, spec, status }: Cluster) => {
  const { apiEnablements: _served, kubernetesVersion: _version, ...rest } = status ?? {}
  return comparable({ finalizers: metadata.finalizers, spec, status: rest })
}

test('spec, conditions and figures are the same, field by field', async () => {
  await joinAsObserved()
  await env.eventually(async () => {
    const cluster = await env.client.get(clusterKind, { name: 'member1' })
    expect(figures(cluster)).toEqual(figures(observed))
  })
})

test('kinds are reported in the same form, by group', async () => {
  await joinAsObserved()
  await env.eventually(async () => {
    const { status } = await env.client.get(clusterKind, { name: 'member1' })
    const told = new Map(status?.apiEnablements?.map(({ groupVersion, resources }) => [groupVersion, resources]))
    for (const { groupVersion, resources } of observed.status?.apiEnablements ?? []) {
      expect(told.get(groupVersion)).toEqual(
        groupVersion === 'v1' ? expect.arrayContaining([{ kind: 'Pod', name: 'pods' }]) : resources,
      )
    }
  })
})
