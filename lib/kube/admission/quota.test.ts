import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BindingSpec, FederatedResourceQuota } from '../kinds'
import { increasesHeadroom, type ResourceList, reviewQuota, totalUsage } from './quota'

type Usage = Pick<BindingSpec, 'clusters' | 'components' | 'replicaRequirements'>

const on = (...replicas: number[]) => replicas.map((count, index) => ({ name: `member${index + 1}`, replicas: count }))
const web = (resourceRequest: ResourceList, ...replicas: number[]): Usage => ({
  replicaRequirements: { resourceRequest },
  clusters: on(...replicas),
})
const job = (clusters: number): Usage => ({
  components: [
    { name: 'main', replicas: 1, replicaRequirements: { resourceRequest: { cpu: '1', memory: '1Gi' } } },
    { name: 'worker', replicas: 3, replicaRequirements: { resourceRequest: { cpu: '500m' } } },
    { name: 'free', replicas: 2 },
  ],
  clusters: on(...Array.from({ length: clusters }, () => 0)),
})

const everything = { cpu: 0, memory: 0, 'nvidia.com/gpu': 0 }

describe('the usage of a binding', () => {
  it.each<[string, Usage, ResourceList]>([
    ['nothing before it is scheduled', { replicaRequirements: { resourceRequest: { cpu: '1' } } }, {}],
    ['nothing without replicas', web({ cpu: '1' }, 0, 0), {}],
    ['nothing without a request', { clusters: on(3) }, {}],
    ['its request for every replica', web({ cpu: '250m', memory: '64Mi' }, 2, 3), { cpu: '1250m', memory: '320Mi' }],
    ['exact, in the notation of the request', web({ memory: '1024k' }, 2), { memory: '2048k' }],
    ['exact also below one unit', web({ memory: '100m', cpu: '100u' }, 2), { memory: '200m', cpu: '200u' }],
    ['devices by the piece', web({ 'nvidia.com/gpu': '2' }, 1, 1), { 'nvidia.com/gpu': '4' }],
    ['a whole set of its components in every cluster', job(2), { cpu: '5', memory: '2Gi' }],
  ])('is %s', (_, binding, usage) => {
    expect(totalUsage([binding], everything)).toEqual(usage)
  })

  it('adds up, of what is limited', () => {
    const bindings = [web({ cpu: '1' }, 2), web({ cpu: '500m', memory: '1Gi' }, 1)]
    expect(totalUsage(bindings, { cpu: '1' })).toEqual({ cpu: '2500m' })
  })
})

const quota = (overall: ResourceList, overallUsed?: ResourceList, name = 'quota'): FederatedResourceQuota => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'FederatedResourceQuota',
  metadata: { name, namespace: 'ns', uid: '1', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { overall },
  ...(overallUsed && { status: { overallUsed } }),
})
const cpu = (...replicas: number[]) => web({ cpu: '1' }, ...replicas)
const DENIED = 'admission webhook "resourcebinding.karmada.io" denied the request: '

describe('a write that quotas allow', () => {
  it.each<[string, [Usage | undefined, Usage], FederatedResourceQuota, ResourceList | undefined]>([
    ['takes what it asks for', [undefined, cpu(2)], quota({ cpu: '4' }), { cpu: '2' }],
    ['may take all that is left', [cpu(1), cpu(3)], quota({ cpu: '4' }, { cpu: '2' }), { cpu: '4' }],
    ['gives back', [cpu(3), cpu(1)], quota({ cpu: '4' }, { cpu: '3' }), { cpu: '1' }],
    ['gives back everything', [cpu(3), {}], quota({ cpu: '4' }, { cpu: '3' }), {}],
    ['gives back to a quota that is lower by now', [cpu(3), cpu(2)], quota({ cpu: '1' }, { cpu: '3' }), { cpu: '2' }],
    [
      'takes more of one resource while too much of another is in use',
      [undefined, cpu(1)],
      quota({ cpu: '4', memory: '1Gi' }, { memory: '2Gi' }),
      { cpu: '1', memory: '2Gi' },
    ],
    ['moves between clusters', [cpu(3, 0), cpu(1, 2)], quota({ cpu: '1' }, { cpu: '3' }), undefined],
    [
      'is not yet scheduled',
      [undefined, { replicaRequirements: { resourceRequest: { cpu: '9' } } }],
      quota({ cpu: '1' }),
      undefined,
    ],
    ['requests a resource that no quota limits', [undefined, cpu(9)], quota({ memory: '1Gi' }), undefined],
    ['is never counted below zero', [cpu(3), {}], quota({ cpu: '4' }, { cpu: '1' }), {}],
  ])('%s', (_, [old, next], limit, overallUsed) => {
    const updates = overallUsed ? [{ quota: limit, overallUsed }] : []
    expect(reviewQuota({ old, next, quotas: [limit] })).toEqual({ allowed: true, updates })
  })
})

describe('a write that quotas refuse', () => {
  it.each<[string, [Usage | undefined, Usage], FederatedResourceQuota[], string]>([
    [
      'takes more than there is',
      [undefined, cpu(5)],
      [quota({ cpu: '4000m' })],
      'FederatedResourceQuota(ns/quota) exceeded for resource cpu: requested sum 5, limit 4.',
    ],
    [
      'takes more than is left',
      [cpu(1), cpu(2)],
      [quota({ cpu: '4' }, { cpu: '3500m' })],
      'FederatedResourceQuota(ns/quota) exceeded for resource cpu: requested sum 4500m, limit 4.',
    ],
    [
      'asks for more for each replica',
      [web({ memory: '1Gi' }, 2), web({ memory: '1536Mi' }, 2)],
      [quota({ memory: '2Gi' }, { memory: '2Gi' })],
      'FederatedResourceQuota(ns/quota) exceeded for resource memory: requested sum 3Gi, limit 2Gi.',
    ],
    [
      'exceeds two limits: the first by name is told',
      [undefined, web({ memory: '2Gi', cpu: '2' }, 1)],
      [quota({ memory: '1Gi', cpu: '1' })],
      'FederatedResourceQuota(ns/quota) exceeded for resource cpu: requested sum 2, limit 1.',
    ],
    [
      'exceeds one of two quotas',
      [undefined, cpu(2)],
      [quota({ cpu: '4' }, {}, 'a'), quota({ cpu: '1' }, {}, 'b')],
      'FederatedResourceQuota(ns/b) exceeded for resource cpu: requested sum 2, limit 1.',
    ],
  ])('%s', (_, [old, next], quotas, message) => {
    const verdict = reviewQuota({ old, next, quotas })
    const refusal: unknown = expect.objectContaining({ code: 403, reason: 'QuotaExceeded', message: DENIED + message })
    expect(verdict).toEqual({ allowed: false, refusal })
  })
})

it('counts the same step by step as at once, and never lets the sum pass the limit', () => {
  const replicas = fc.array(fc.tuple(fc.nat(3), fc.nat(6)), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(replicas, (writes) => {
      const bindings = new Map<number, Usage>()
      let current = quota({ cpu: '10' }, {})
      for (const [id, count] of writes) {
        const verdict = reviewQuota({ old: bindings.get(id), next: cpu(count), quotas: [current] })
        if (!verdict.allowed) continue
        bindings.set(id, cpu(count))
        const [update] = verdict.updates
        if (update) current = quota({ cpu: '10' }, update.overallUsed)
      }
      expect(current.status?.overallUsed).toEqual(totalUsage([...bindings.values()], everything))
      expect(Number(current.status?.overallUsed?.cpu ?? 0)).toBeLessThanOrEqual(10)
    }),
    { seed: 7, numRuns: 200 },
  )
})

describe('a quota leaves more room', () => {
  it.each<[string, FederatedResourceQuota, FederatedResourceQuota, boolean]>([
    ['when it is raised', quota({ cpu: '4' }), quota({ cpu: '5' }), true],
    ['when a limit goes', quota({ cpu: '4', memory: '1Gi' }), quota({ cpu: '4' }), true],
    ['when less is in use', quota({ cpu: '4' }, { cpu: '3' }), quota({ cpu: '4' }, { cpu: '2' }), true],
    ['when nothing is in use any more', quota({ cpu: '4' }, { cpu: '3' }), quota({ cpu: '4' }), true],
    ['but not when it is lowered', quota({ cpu: '4' }), quota({ cpu: '3' }), false],
    ['but not when more is in use', quota({ cpu: '4' }, { cpu: '2' }), quota({ cpu: '4' }, { cpu: '3' }), false],
    ['but not when a limit comes', quota({}), quota({ cpu: '4' }), false],
    ['but not when it is written differently', quota({ cpu: '4' }), quota({ cpu: '4000m' }), false],
  ])('%s', (_, before, after, more) => {
    expect(increasesHeadroom(before, after)).toBe(more)
  })
})
