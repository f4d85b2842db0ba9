import { describe, expect, test } from 'vitest'
import { type Policy, withClaim } from '@/lib/domain/propagation'
import type { PropagationSpec, ResourceSelector } from '@/lib/kube/kinds/propagation-spec'
import type { KubeObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import { ownershipOf } from './selection'

const deployments: ResourceSelector = { apiVersion: 'apps/v1', kind: 'Deployment' }
const named: ResourceSelector = { ...deployments, name: 'web' }

function policy(name: string, spec: Partial<PropagationSpec> = {}, namespace: string | undefined = 'shop'): Policy {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, ...(namespace && { namespace }), uid: name, resourceVersion: '1', creationTimestamp: '' },
    spec: { resourceSelectors: [deployments], ...spec } as PropagationSpec,
  }
}

const template = (claimedBy?: string): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '',
    ...(claimedBy !== undefined
      && withClaim({}, { scope: 'Namespaced', id: claimedBy, namespace: 'shop', name: claimedBy })),
  },
})

const mine = policy('middle')

describe('an object that no policy has claimed', () => {
  test.each([
    ['no other selects it', policy('other', { resourceSelectors: [{ ...deployments, name: 'api' }] }), undefined],
    ['the other is cluster-wide', policy('first', { priority: 9 }, ''), 'scope'],
    ['the other has a lower priority', policy('first', { priority: -1 }), 'priority'],
    ['the other has a larger name', policy('second'), 'name'],
  ])('goes to this policy where %s', (_, other, by) => {
    expect(ownershipOf(template(), { policy: mine, policies: [other] })).toEqual({
      state: 'claims',
      why:
        by === undefined
          ? message('policies.owner.free')
          : message('policies.owner.ahead', { other: by === 'scope' ? 'first' : `shop/${other.metadata.name}`, by }),
    })
  })

  test.each([
    ['a higher priority', policy('z', { priority: 1 }), message('policies.owner.priority', { own: 0, its: 1 })],
    [
      'a closer selector',
      policy('z', { resourceSelectors: [named] }),
      message('policies.owner.closer', { how: 'name' }),
    ],
    ['a smaller name', policy('a'), message('policies.owner.byName', { priority: 0 })],
  ])('goes to the other policy with %s', (_, other, why) => {
    const owner = `shop/${other.metadata.name}`
    expect(ownershipOf(template(), { policy: mine, policies: [other] })).toEqual({ state: 'other', owner, why })
  })

  test('goes to a policy of its namespace before any cluster-wide one', () => {
    const wide = policy('middle', { priority: 9 }, '')
    expect(ownershipOf(template(), { policy: wide, policies: [policy('z')] })).toMatchObject({
      owner: 'shop/z',
      why: message('policies.owner.namespaced'),
    })
  })
})

test('a claim stays, also against a closer selector, unless the policy preempts by name and priority', () => {
  const holder = policy('z')
  const why = (spec: Partial<PropagationSpec>) =>
    ownershipOf(template('z'), { policy: policy('middle', spec), policies: [holder] }).why
  expect(why({ resourceSelectors: [named] })).toEqual(message('policies.owner.first', { priority: 0 }))
  expect(why({ priority: 1 })).toEqual(message('policies.owner.preemptionNever'))
  expect(why({ priority: 1, preemption: 'Always' })).toEqual(message('policies.owner.notNamed'))
  expect(why({ priority: 1, preemption: 'Always', resourceSelectors: [named] })).toEqual(
    message('policies.owner.preempts'),
  )
})
