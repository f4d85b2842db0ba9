import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { policyRule } from './cluster-role'
import { atomicList } from './lists'

/** Rights that can be granted in one namespace. */
export const role = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object({ rules: atomicList(policyRule) }),
})

export type Role = ObjectOf<typeof role>
