import { expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { work } from '@/lib/kube/kinds/work'
import { workloadSpread, type SubsetStatus } from '@/lib/kube/kinds/workload-spread'
import type { SpreadView } from '@/lib/view/spread-model'
import { ready, reportOf, sampleBinding, sampleCluster, sampleWork, T0 } from '@/lib/view/project/testing/samples'
import { allServed } from '../cache/served-kinds'
import { FedInformers } from '../testing/fed-informers'
import { eventually, startBff } from '../testing/start-bff'

const POOLS = 'demo/pools'

const aSpread = (maxReplicas: string) => ({
  apiVersion: 'apps.kruise.io/v1beta1' as const,
  kind: 'WorkloadSpread' as const,
  metadata: { name: 'pools', namespace: 'demo', uid: 'pools', resourceVersion: '1', creationTimestamp: T0 },
  // Another version of the group than the binding has: still the same workload.
  spec: {
    targetRef: { apiVersion: 'apps/v1beta2', kind: 'Deployment', name: 'web' },
    subsets: [{ name: 'spot', maxReplicas }, { name: 'rest' }],
  },
})

/** A policy may take it along in the older version. */
const itsBinding = (...rows: SubsetStatus[]) =>
  sampleBinding({
    name: 'pools',
    clusters: { m1: 0 },
    spec: {
      resource: { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'WorkloadSpread', namespace: 'demo', name: 'pools' },
      replicas: 0,
      replicaRequirements: undefined,
    },
    status: {
      aggregatedStatus: [{ clusterName: 'm1', applied: true, status: { observedGeneration: 1, subsetStatuses: rows } }],
    },
  })

const row = (name: string, replicas: number, missingReplicas: number): SubsetStatus => ({
  name,
  replicas,
  missingReplicas,
})

test('a spread follows its own object, its binding, its workload and the readiness of its clusters', async () => {
  const { read, informers } = await startBff()
  const [spreads, bindings, works, clusters] = [
    informers.of(workloadSpread),
    informers.of(resourceBinding),
    informers.of(work),
    informers.of(cluster),
  ]
  const topic = read('spreads')
  const shown = () => topic.held[POOLS] as SpreadView | undefined
  clusters.put(sampleCluster('m1'))
  informers.syncAll()
  spreads.put(aSpread('60%'))
  await eventually(() =>
    expect(shown()).toMatchObject({ state: { state: 'warn' }, clusters: [], target: { name: 'web' } }),
  )

  works.put(sampleWork('m1'))
  works.put(sampleWork('m1', { name: 'pools' }))
  bindings.put(sampleBinding({ clusters: { m1: 10 } }))
  bindings.put(itsBinding(row('spot', 6, 0), row('rest', 4, -1)))
  await eventually(() =>
    expect(shown()).toMatchObject({
      workload: 'apps~v1/Deployment/demo/web',
      clusters: [{ cluster: 'm1', size: 10, sum: { total: 10, parts: [6, 4], off: 0 }, state: { state: 'ok' } }],
    }),
  )

  spreads.put(aSpread('50%'))
  await eventually(() =>
    expect(shown()?.clusters[0]?.subsets?.[0]).toMatchObject({ limit: 5, current: 6, state: { state: 'warn' } }),
  )
  bindings.put(sampleBinding({ clusters: { m1: 12 }, status: { aggregatedStatus: [reportOf('m1', 12)] } }))
  await eventually(() => expect(shown()?.clusters[0]).toMatchObject({ size: 12, sum: { total: 12, off: 2 } }))
  clusters.put(sampleCluster('m1', { status: ready('False') }))
  await eventually(() => expect(shown()?.state.state).toBe('unknown'))

  spreads.remove(aSpread('50%'))
  await eventually(() => expect(shown()).toBeUndefined())
})

test('without WorkloadSpreads in the control plane their list is refused, and nothing else is missing', async () => {
  const informers = new FedInformers()
  const { read } = await startBff({
    informers,
    served: {
      ...allServed,
      readable: ({ kind }) => kind !== 'WorkloadSpread',
      whyUnread: ({ kind }) => (kind === 'WorkloadSpread' ? 'NotServed' : undefined),
    },
  })
  const topic = read('spreads')
  const workloads = read('workloads')
  informers.of(resourceBinding).put(sampleBinding())
  informers.syncAll()
  await eventually(() => expect(Object.keys(workloads.held)).toHaveLength(1))
  await eventually(() => expect(topic.state.unread).toMatchObject([{ kind: 'WorkloadSpread', reason: 'NotServed' }]))
  expect(topic.state.phase).toBe('refused')
})
