import { expect, test } from 'vitest'
import { type Claim, claimOn, isClaimedBy, isTemplateChange, isUserChange, withClaim, withoutClaim } from '.'
import type { UnknownObject } from '../../kube/object'

const policy: Claim = { scope: 'Namespaced', id: 'p', namespace: 'shop', name: 'all' }
const clusterPolicy: Claim = { scope: 'Cluster', id: 'c', name: 'everything' }
const bare = { labels: { app: 'web' }, annotations: { note: 'x' } }

test.each([policy, clusterPolicy])('a claim can be parsed and removed without a trace (%o)', (claim) => {
  const claimed = withClaim(bare, claim)
  expect(claimOn(claimed)).toEqual(claim)
  expect(isClaimedBy(claimed, claim)).toBe(true)
  expect(withoutClaim(claimed, claim)).toEqual(bare)
})

test('a policy of the namespace takes over from a cluster policy', () => {
  const taken = withClaim(withClaim(bare, clusterPolicy), policy)
  expect(taken).toEqual(withClaim(bare, policy))
})

test('a template with both claims belongs to the policy of its namespace, but still needs cleaning', () => {
  const both = withClaim(withClaim(bare, policy), clusterPolicy)
  expect(claimOn(both)).toEqual(policy)
  expect(isClaimedBy(both, policy)).toBe(false)
})

test('a claim that another policy took over meanwhile is not removed', () => {
  const theirs = withClaim(bare, { ...policy, id: 'other' })
  expect(withoutClaim(theirs, policy)).toBe(theirs)
})

test('an incomplete claim is ignored', () => {
  expect(claimOn({ labels: { 'propagationpolicy.karmada.io/permanent-id': 'p' } })).toBeUndefined()
})

const template: UnknownObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: { replicas: 1 },
  status: { replicas: 1 },
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
}
const withMetadata = (metadata: Partial<UnknownObject['metadata']>): UnknownObject => ({
  ...template,
  metadata: { ...template.metadata, ...metadata },
})

test.each([
  ['only the version', withMetadata({ resourceVersion: '2', managedFields: [{}] }), false, false],
  ['only the status', { ...template, status: { replicas: 2 } }, false, false],
  ['the spec', { ...template, spec: { replicas: 2 } }, true, true],
  ['a label of the user', withMetadata({ labels: { app: 'web' } }), true, true],
  ['a claim', withMetadata({ ...withClaim({}, policy), generation: 2 }), true, false],
  [
    'the wish to stay at home',
    withMetadata({ labels: { 'namespace.karmada.io/skip-auto-propagation': 'true' } }),
    true,
    true,
  ],
])('a change of %s', (_name, next, matters, byUser) => {
  expect(isTemplateChange(template, next)).toBe(matters)
  expect(isUserChange(template, next)).toBe(byUser)
})
