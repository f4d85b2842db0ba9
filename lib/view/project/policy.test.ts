import { describe, expect, test } from 'vitest'
import type { Policy } from '@/lib/domain/propagation'
import { message } from '@/lib/messages/message'
import { texts } from '@/lib/messages/texts'
import { parsePolicyId, policyId } from '../policy-model'
import { projectPolicy } from './policy'
import { sampleBinding, T0 } from './testing/samples'

const policy = (spec: Partial<Policy['spec']> = {}, namespace: string | undefined = 'demo'): Policy =>
  ({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: namespace === undefined ? 'ClusterPropagationPolicy' : 'PropagationPolicy',
    metadata: { name: 'web', ...(namespace && { namespace }), uid: 'u', resourceVersion: '1', creationTimestamp: T0 },
    spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], ...spec },
  }) as Policy

const claim = (clusters: Record<string, number>, drift = 0) => ({ binding: sampleBinding({ clusters }), drift })

describe('a policy in the list', () => {
  test('sums replicas by cluster over the workloads that it claimed', () => {
    const view = projectPolicy(policy(), [claim({ m1: 2, m2: 1 }), claim({ m2: 3 }, 1)])
    expect(view).toMatchObject({
      id: 'demo/web',
      workloads: 2,
      replicas: 6,
      clusters: [
        { cluster: 'm1', replicas: 2 },
        { cluster: 'm2', replicas: 4 },
      ],
      drifted: 1,
      drift: 1,
      state: { state: 'warn', reason: message('policies.state.drifted', { n: 1, replicas: 1 }) },
    })
  })

  test('is known by its name alone where it is cluster-wide', () => {
    expect(
      projectPolicy({ ...policy(), metadata: { ...policy().metadata, namespace: undefined } } as never, []).id,
    ).toBe('web')
    for (const id of ['demo/web', 'web']) expect(policyId(parsePolicyId(id)!)).toBe(id)
    for (const id of ['', '/web', 'a/b/c', 'demo/']) expect(parsePolicyId(id)).toBeUndefined()
  })

  test('a workload that cannot be scheduled comes before everything except a deletion', () => {
    const conditions = [
      { type: 'Scheduled', status: 'False', reason: 'Unschedulable', message: '', lastTransitionTime: T0 } as const,
    ]
    const failing = { binding: sampleBinding({ clusters: {}, status: { conditions } }), drift: 0 }
    const suspended = policy({ suspension: { scheduling: true } })
    expect(projectPolicy(suspended, [failing]).state.state).toBe('fail')
    expect(projectPolicy(suspended, [claim({ m1: 1 })]).state.state).toBe('held')
    expect(projectPolicy(policy(), []).state.state).toBe('unknown')
  })

  test.each([
    [{ suspension: { dispatching: true } }, 'Dispatching to all clusters is suspended'],
    [{ suspension: { dispatchingOnClusters: { clusterNames: ['m1'] } } }, 'Dispatching to m1 is suspended'],
    [{ failover: { cluster: { purgeMode: 'Directly' } } }, 'When a cluster fails: purge mode Directly'],
    [
      { failover: { application: { decisionConditions: { tolerationSeconds: 90 } } } },
      'When the workload is Unhealthy for 1 m 30 s: moves it, purge mode Gracefully',
    ],
  ])('%j is said in words', (spec, words) => {
    const view = projectPolicy(policy(spec as Partial<Policy['spec']>), [])
    expect([...view.suspension, ...view.failover].map(texts.en.of)).toEqual([words])
  })
})
