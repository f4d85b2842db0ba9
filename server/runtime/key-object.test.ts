import { expect, test } from 'vitest'
import { resourceBinding } from '@/lib/kube/kinds'
import { deployment, propagationPolicy } from '@/lib/kube/kinds'
import { bindingKeyOf } from '@/server/reconcilers/shared/binding-kinds'
import { policyKeyOf, templateKeyOf } from '@/server/reconcilers/detector/keys'
import { objectOfKey } from './key-object'

const object = { metadata: { namespace: 'default', name: 'web' } }

test.each([
  ['of a template', templateKeyOf(deployment, object), { kind: 'Deployment', key: 'default/web' }],
  ['of a policy', policyKeyOf(propagationPolicy, object as never), { kind: 'PropagationPolicy', key: 'default/web' }],
  ['of a binding', bindingKeyOf(object as never), { kind: resourceBinding.kind, key: 'default/web' }],
  ['of a cluster binding', 'ClusterResourceBinding/reader', { kind: 'ClusterResourceBinding', key: 'reader' }],
  [
    'of a role with colons',
    'template:rbac.authorization.k8s.io/v1:ClusterRole:system:x',
    { kind: 'ClusterRole', key: 'system:x' },
  ],
  ['of one kind', 'member1', { key: 'member1' }],
  ['with a namespace', 'default/web', { key: 'default/web' }],
])('the object of a key %s', (_, key, expected) => {
  expect(objectOfKey(key)).toEqual(expected)
})
