import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UnknownObject } from '@/lib/kube/object'
import { createMemoryStore } from '../store/memory'
import { createAuthorizer } from './authorizer'

const GROUP = 'rbac.authorization.k8s.io'
const USERS = ['ann', 'bob']
const SPACES = ['a', 'b']

/** Adds, changes or removes a role or a binding with one of few names. */
const step = fc.record({
  resource: fc.constantFrom('roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'),
  namespace: fc.constantFrom(...SPACES),
  name: fc.constantFrom('one', 'two'),
  roleKind: fc.constantFrom('Role', 'ClusterRole'),
  roleName: fc.constantFrom('one', 'two'),
  subjects: fc.array(
    fc.constantFrom(
      ...USERS.map((name) => ({ kind: 'User', name })),
      { kind: 'Group', name: 'team' },
      { kind: 'ServiceAccount', name: 'robot' },
      { kind: 'ServiceAccount', name: 'robot', namespace: 'b' },
    ),
    { maxLength: 3 },
  ),
  verbs: fc.subarray(['get', 'list', 'create']),
  goes: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function objectOf({ resource, namespace, name, roleKind, roleName, subjects, verbs }: Step): UnknownObject {
  const scoped: { namespace?: string } = resource.startsWith('cluster') ? {} : { namespace }
  const metadata = { name, uid: 'u', resourceVersion: '', creationTimestamp: '', ...scoped }
  const content = resource.endsWith('roles')
    ? { rules: [{ verbs, apiGroups: [''], resources: ['pods'] }] }
    : { roleRef: { apiGroup: GROUP, kind: scoped.namespace ? roleKind : 'ClusterRole', name: roleName }, subjects }
  return { apiVersion: `${GROUP}/v1`, kind: 'Any', metadata, ...content }
}

const identities = [
  ...USERS.map((user) => ({ user, groups: [] })),
  { user: 'cid', groups: ['team'] },
  ...SPACES.map((space) => ({ user: `system:serviceaccount:${space}:robot`, groups: [] })),
]

test('an index that followed every change equals one built from the result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const store = createMemoryStore()
      const following = createAuthorizer(store)
      for (const one of steps) {
        const key = one.resource.startsWith('cluster') ? one.name : `${one.namespace}/${one.name}`
        const location = { keyspace: '', resource: `${one.resource}.${GROUP}`, key }
        const present = store.get(location)
        if (!one.goes) await store.put(location, objectOf(one), present?.revision ?? 0)
        else if (present) await store.delete(location, present.value, present.revision)
      }
      const fresh = createAuthorizer(store)
      for (const identity of identities) {
        for (const namespace of ['', ...SPACES]) {
          const [followed, made] = [following, fresh].map((one) => one.rulesOf('', identity, namespace))
          const sorted = (rules: readonly unknown[] = []): string[] => rules.map((rule) => JSON.stringify(rule)).sort()
          expect(sorted(followed?.rules)).toEqual(sorted(made?.rules))
          expect(followed?.missing.toSorted()).toEqual(made?.missing.toSorted())
        }
      }
      await store.close()
    }),
    { seed: 20_260_102, numRuns: 150 },
  )
})
