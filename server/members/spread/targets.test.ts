/** Every kind of workload that may be spread. CloneSets and Deployments have tests of their own. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  job as jobKind,
  replicaSet as replicaSetKind,
  statefulSet as statefulSetKind,
  workloadSpread as spreadKind,
} from '@/lib/kube/kinds'
import type { KubeClient } from '@/server/kube/client'
import { SpreadMember, subsetOf } from './testing/spread-member'

let seen: SpreadMember
let member: KubeClient
beforeEach(async () => {
  seen = await SpreadMember.start('web', [{ zone: 'a' }, { zone: 'b' }])
  member = seen.member.client
})
afterEach(() => seen.close())

const namespace = 'default'
const labels = { app: 'web' }
const containers = [{ name: 'main', image: 'web' }]
const template = { metadata: { labels }, spec: { containers } }
const zone = (name: string) => ({
  requiredNodeSelector: { matchExpressions: [{ key: 'zone', operator: 'In', values: [name] }] },
})

function spreadOver(apiVersion: string, kind: string): Promise<unknown> {
  const subsets = [
    { name: 'a', maxReplicas: 2, ...zone('a') },
    { name: 'b', ...zone('b') },
  ]
  return member.create(spreadKind, {
    apiVersion: 'apps.kruise.io/v1beta1',
    kind: 'WorkloadSpread',
    metadata: { name: 'web', namespace },
    spec: { targetRef: { apiVersion, kind, name: 'web' }, subsets },
  })
}

const placesByName = async (): Promise<[string, string, string | undefined][]> => {
  const pods = await seen.pods()
  return pods
    .map((pod): [string, string, string | undefined] => [pod.metadata.name, subsetOf(pod), pod.spec.nodeName])
    .toSorted()
}

test('a ReplicaSet, by costs', async () => {
  await spreadOver('apps/v1', 'ReplicaSet')
  await member.create(replicaSetKind, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace },
    spec: { replicas: 3, selector: { matchLabels: labels }, template },
  })
  await seen.shows({ pods: { a: 2, b: 1 }, costs: { a: { 200: 2 }, b: { 100: 1 } }, missing: { a: 0, b: -1 } })
  await member.patch(replicaSetKind, { namespace, name: 'web' }, { type: 'merge', value: { spec: { replicas: 2 } } })
  await seen.shows({ pods: { a: 2 } })
})

test('a StatefulSet, by ordinals and without costs', async () => {
  await spreadOver('apps/v1', 'StatefulSet')
  await member.create(statefulSetKind, {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace },
    spec: { replicas: 3, serviceName: 'web', selector: { matchLabels: labels }, template },
  })
  await seen.member.env.eventually(async () =>
    expect(await placesByName()).toEqual([
      ['web-0', 'a', 'm1-node-1'],
      ['web-1', 'a', 'm1-node-1'],
      ['web-2', 'b', 'm1-node-2'],
    ]),
  )
  await seen.shows({ pods: { a: 2, b: 1 }, costs: { a: { '': 2 }, b: { '': 1 } }, missing: { a: 0, b: -1 } })
})

test('a Job, whose places are free again once the controller has counted its ended pods', async () => {
  await spreadOver('batch/v1', 'Job')
  await member.create(jobKind, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'web', namespace },
    spec: { parallelism: 2, completions: 2, template: { ...template, spec: { restartPolicy: 'Never', containers } } },
  })
  await seen.shows({ pods: { a: 2 }, missing: { a: 0, b: -1 } })
  await seen.member.env.eventually(async () => {
    expect((await seen.allPods()).map(({ status }) => status?.phase)).toEqual(['Running', 'Running'])
  })
  await seen.member.env.advance(6000)
  await seen.shows({ pods: {}, missing: { a: 2, b: -1 } })
})
