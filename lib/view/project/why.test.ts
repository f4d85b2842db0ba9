import { describe, expect, test } from 'vitest'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { sampleBinding, sampleCluster } from './testing/samples'
import { explainPlacement } from './why'

const apis = [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }]
const roomy = (name: string, spec: Partial<Cluster['spec']> = {}): Cluster => sampleCluster(name, {
  spec, status: { ...sampleCluster(name).status, apiEnablements: apis, resourceSummary: { allocatable: { cpu: '10', memory: '10Gi', pods: '100' } } },
})

describe('why a cluster has the workload or not', () => {
  test('says how much each would get, from its capacity', () => {
    expect(explainPlacement(sampleBinding({ clusters: { m1: 4 } }), [roomy('m2'), roomy('m1')])).toEqual([
      { cluster: 'm1', fits: true, sentence: expect.stringMatching(/^It would get 2 replicas/), score: 100, capacity: 100 },
      { cluster: 'm2', fits: true, sentence: expect.stringMatching(/^It would get 2 replicas/), score: 0, capacity: 100 },
    ])
  })

  test('names the rule that keeps a cluster out', () => {
    const tainted = roomy('m2', { taints: [{ key: 'drain', effect: 'NoSchedule' }] })
    const unnamed = sampleBinding({ clusters: { m1: 3 }, spec: { placement: { clusterAffinity: { clusterNames: ['m1', 'm2'] } } } })
    expect(explainPlacement(unnamed, [roomy('m1'), tainted, roomy('m3')]).map(({ fits, sentence }) => [fits, sentence.split(':')[0]])).toEqual([
      [true, 'It would get 3 replicas.'],
      [false, 'It has a taint that the placement does not tolerate'],
      [false, 'The placement does not name it'],
    ])
  })

  test('says nothing of a binding that the scheduler leaves alone', () => {
    expect(explainPlacement(sampleBinding({ spec: { placement: undefined } }), [roomy('m1')])).toEqual([])
  })

  test('tells that it fits although nothing can be placed', () => {
    const huge = sampleBinding({ clusters: {}, spec: { replicas: 5000 } })
    expect(explainPlacement(huge, [roomy('m1')])).toMatchObject([{ fits: true, sentence: expect.stringMatching(/^It fits, but nothing can be placed/) }])
  })
})
