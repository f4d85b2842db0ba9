/** The roles and bindings that a key space has from the start, completed at every start. */
import type { ClusterRole } from '@/lib/kube/kinds/cluster-role'
import type { ClusterRoleBinding } from '@/lib/kube/kinds/cluster-role-binding'
import type { Draft, KubeObject, UnknownObject } from '@/lib/kube/object'
import { RBAC_GROUP } from '@/lib/kube/rbac/names'
import { bootstrapPolicy, completedBinding, completedRole } from '@/lib/kube/rbac/policy'
import type { Api, Scope } from '../api'
import { createObject } from '../registry/create'
import type { Keyspace } from '../registry/keyspace'
import { updateObject } from '../registry/update'
import { serverWriter } from '../registry/writer'

/** Writes the parts of the bootstrap policy that the keyspace lacks; additions and protected objects stay. */
export async function establishPolicy(api: Api, keyspace: Keyspace): Promise<void> {
  const roles = keyspace.registry.find(RBAC_GROUP, 'v1', 'clusterroles')
  const bindings = keyspace.registry.find(RBAC_GROUP, 'v1', 'clusterrolebindings')
  if (!roles || !bindings) return
  const policy = bootstrapPolicy(keyspace.registry.hasGroup('work.karmada.io'))
  const ofRoles: Scope = { api, keyspace, resource: roles }
  const ofBindings: Scope = { api, keyspace, resource: bindings }
  await Promise.all([
    ...policy.roles.map((role) => establish(ofRoles, role, (present: ClusterRole) => completedRole(present, role))),
    ...policy.bindings.map((binding) =>
      establish(ofBindings, binding, (present: ClusterRoleBinding) => completedBinding(present, binding)),
    ),
  ])
}

async function establish<T extends KubeObject>(
  scope: Scope,
  expected: Draft<T>,
  complete: (present: T) => T | undefined,
): Promise<void> {
  const { api, keyspace, resource } = scope
  const present = api.store.get({
    keyspace: keyspace.name,
    resource: resource.id,
    key: expected.metadata.name as string,
  })
  if (!present) {
    await createObject(scope, expected as unknown as UnknownObject, { writer: serverWriter })
    return
  }
  if (!complete(present.value as unknown as T)) return
  const change = (current: UnknownObject): UnknownObject =>
    (complete(current as unknown as T) ?? current) as unknown as UnknownObject
  await updateObject(scope, present, { writer: serverWriter, change })
}
