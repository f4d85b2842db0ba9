import { describe, expect, it } from 'vitest'
import type { ClusterRole } from '../kinds/cluster-role'
import type { ClusterRoleBinding } from '../kinds/cluster-role-binding'
import { aggregatedRules } from './aggregate'
import { bootstrapPolicy, completedBinding, completedRole } from './policy'
import { rulesAllow } from './rules'

const policy = bootstrapPolicy(true)
const role = (name: string): ClusterRole => policy.roles.find(({ metadata }) => metadata.name === name) as ClusterRole
const binding = (name: string): ClusterRoleBinding =>
  policy.bindings.find(({ metadata }) => metadata.name === name) as ClusterRoleBinding
const ask = (verb: string, resource: string, group: string): Parameters<typeof rulesAllow>[1] => ({
  verb,
  group,
  version: 'v1',
  resource,
  subresource: '',
  namespace: 'x',
  name: '',
})

describe('the bootstrap policy', () => {
  it.each<[name: string, verb: string, what: string, allowed: boolean]>([
    ['view', 'list', 'configmaps', true],
    ['view', 'list', 'secrets', false],
    ['view', 'create', 'configmaps', false],
    ['edit', 'create', 'configmaps', true],
    ['edit', 'list', 'secrets', true],
    ['edit', 'create', 'rolebindings.rbac.authorization.k8s.io', false],
    ['admin', 'create', 'rolebindings.rbac.authorization.k8s.io', true],
    ['admin', 'patch', 'resourcebindings.work.karmada.io', true],
    ['view', 'list', 'propagationpolicies.policy.karmada.io', true],
    ['view', 'list', 'clusters.cluster.karmada.io', false],
    ['cluster-admin', 'escalate', 'clusterroles.rbac.authorization.k8s.io', true],
  ])('lets %s %s %s: %s', (name, verb, what, allowed) => {
    const [resource = '', ...group] = what.split('.')
    expect(rulesAllow(role(name).rules ?? [], ask(verb, resource, group.join('.')))).toBe(allowed)
  })

  it('contains no kinds of Karmada if there are none', () => {
    expect(JSON.stringify(bootstrapPolicy(false))).not.toContain('karmada')
  })

  it('has aggregated roles with the rules that their controller would gather', () => {
    for (const name of ['view', 'edit', 'admin']) {
      expect(role(name).rules).toEqual(aggregatedRules(role(name), policy.roles as ClusterRole[]))
    }
  })
})

describe('an older state of the policy', () => {
  it('gets the rules and subjects that it lacks, and keeps those of its owner', () => {
    const own = { verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] }
    const older = { ...role('system:kube-dns'), rules: [own] }
    const missing = ['endpoints', 'services'].flatMap((resource) =>
      ['list', 'watch'].map((verb) => ({ apiGroups: [''], resources: [resource], verbs: [verb] })),
    )
    expect(completedRole(older, role('system:kube-dns'))?.rules).toEqual([own, ...missing])
    const { subjects, ...emptied } = binding('system:discovery')
    expect(completedBinding(emptied, binding('system:discovery'))?.subjects).toEqual(subjects)
  })

  it('is unchanged when it is complete, or when its owner disabled updates', () => {
    const { metadata } = role('system:basic-user')
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' }
    const protectedRole = { ...role('system:basic-user'), rules: [], metadata: { ...metadata, annotations } }
    expect(completedRole(role('edit'), role('edit'))).toBeUndefined()
    expect(completedRole(role('cluster-admin'), role('cluster-admin'))).toBeUndefined()
    expect(completedRole(protectedRole, role('system:basic-user'))).toBeUndefined()
    expect(completedBinding(binding('system:discovery'), binding('system:discovery'))).toBeUndefined()
  })
})
