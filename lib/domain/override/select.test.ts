import { describe, expect, test } from 'vitest'
import type { Cluster } from '../../kube/kinds/cluster'
import type { OverrideSpec } from '../../kube/kinds/override-spec'
import type { UnknownObject } from '../../kube/object'
import { appliesTo, type OverridePolicyLike, overridesFor, recordOverrides, selectOverridePolicies } from '.'

const server = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
const template: UnknownObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' }, ...server },
}
const role: UnknownObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'reader', ...server },
}
const policy = (name: string, spec: OverrideSpec = {}, namespace?: string): OverridePolicyLike => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: namespace ? 'OverridePolicy' : 'ClusterOverridePolicy',
  metadata: { name, ...(namespace && { namespace }), ...server },
  spec,
})
const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' }
const cluster = (name: string, labels: Record<string, string> = {}, region?: string): Cluster => ({
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name, labels, ...server },
  spec: { syncMode: 'Push', ...(region && { region }) },
})

describe('a policy applies to a template', () => {
  test.each<[string, OverridePolicyLike, UnknownObject, boolean]>([
    [
      'that one of its selectors fits',
      policy('p', { resourceSelectors: [{ ...deployments, name: 'x' }, deployments] }, 'shop'),
      template,
      true,
    ],
    [
      'not, when none fits',
      policy('p', { resourceSelectors: [{ ...deployments, name: 'x' }] }, 'shop'),
      template,
      false,
    ],
    ['of its namespace, without selectors', policy('p', {}, 'shop'), template, true],
    ['not of another namespace', policy('p', {}, 'other'), template, false],
    ['of any namespace, when it has none itself', policy('p'), template, true],
    ['of the cluster scope, when it has no namespace', policy('p'), role, true],
    ['not of the cluster scope, when it has a namespace', policy('p', {}, 'shop'), role, false],
    [
      'by its labels',
      policy('p', { resourceSelectors: [{ ...deployments, labelSelector: { matchLabels: { app: 'web' } } }] }),
      template,
      true,
    ],
  ])('%s', (_name, candidate, object, expected) => {
    expect(appliesTo(candidate, object)).toBe(expected)
  })
})

test('policies are applied from the least to the most specific', () => {
  const policies = [
    policy('by-name', { resourceSelectors: [{ ...deployments, name: 'web' }] }, 'shop'),
    policy('by-labels', { resourceSelectors: [{ ...deployments, labelSelector: {} }] }, 'shop'),
    policy('b-by-kind', { resourceSelectors: [deployments] }, 'shop'),
    policy('a-everything', {}, 'shop'),
    policy('c-everything', {}, 'shop'),
    policy('cluster-by-name', { resourceSelectors: [{ ...deployments, name: 'web' }] }),
    policy('cluster-everything'),
    policy('elsewhere', {}, 'other'),
  ]
  expect(selectOverridePolicies(policies, template).map(({ metadata }) => metadata.name)).toEqual([
    'cluster-everything',
    'cluster-by-name',
    'a-everything',
    'b-by-kind',
    'c-everything',
    'by-labels',
    'by-name',
  ])
})

describe('a rule applies to a cluster', () => {
  const eu = cluster('member1', { env: 'prod' }, 'eu')
  type Affinity = NonNullable<OverrideSpec['targetCluster']>
  test.each<[string, Affinity | undefined, boolean]>([
    ['without a target', undefined, true],
    ['with an empty target', {}, true],
    ['by name', { clusterNames: ['member1'] }, true],
    ['not by another name', { clusterNames: ['member2'] }, false],
    ['not when excluded', { exclude: ['member1'] }, false],
    ['by label', { labelSelector: { matchLabels: { env: 'prod' } } }, true],
    ['by region', { fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] } }, true],
    [
      'not by another region',
      { fieldSelector: { matchExpressions: [{ key: 'region', operator: 'NotIn', values: ['eu'] }] } },
      false,
    ],
  ])('%s', (_name, targetCluster, expected) => {
    const target = targetCluster && { targetCluster }
    const rules = policy('rules', { overrideRules: [{ overriders: {}, ...target }] })
    const deprecated = policy('pair', { overriders: {}, ...target })
    const names = overridesFor([rules, deprecated], eu).steps.map((step) => step.policy.metadata.name)
    expect(names).toEqual(expected ? ['rules', 'pair'] : [])
  })
})

describe('the record', () => {
  const overriders = {
    plaintext: [
      { operator: 'replace' as const, value: '<1>', path: '/a' },
      { operator: 'remove' as const, path: '/b' },
    ],
  }

  test('lists every applied rule by policy, one list per scope', () => {
    const image = { imageOverrider: [{ operator: 'add' as const, value: 'reg.io', component: 'Registry' as const }] }
    const words = { labelsOverrider: [{ value: { b: '2', a: '1' }, operator: 'add' as const }] }
    const steps = [
      { policy: policy('wide'), overriders: {} },
      { policy: policy('z', {}, 'shop'), overriders },
      { policy: policy('a', {}, 'shop'), overriders: image },
      { policy: policy('a', {}, 'shop'), overriders: words },
    ]
    expect(recordOverrides(steps)).toEqual({
      'policy.karmada.io/applied-cluster-overrides': '[{"policyName":"wide","overriders":{}}]',
      'policy.karmada.io/applied-overrides':
        '[{"policyName":"a","overriders":{"imageOverrider":[{"component":"Registry","operator":"add","value":"reg.io"}]}},'
        + '{"policyName":"a","overriders":{"labelsOverrider":[{"operator":"add","value":{"a":"1","b":"2"}}]}},'
        + '{"policyName":"z","overriders":{"plaintext":[{"path":"/a","operator":"replace","value":"\\u003c1\\u003e"},'
        + '{"path":"/b","operator":"remove","value":null}]}}]',
    })
  })

  test('is absent if no rule was applied', () => {
    expect(recordOverrides([])).toEqual({})
  })
})
