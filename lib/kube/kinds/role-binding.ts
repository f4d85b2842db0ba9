import { defineKind, type ObjectOf } from '../kind'
import { type Infer, object, string } from '../schema'
import { atomicList } from './lists'

/** `rbac.v1.Subject`: who is given rights. */
export const rbacSubject = object(
  { apiGroup: string(), kind: string(), name: string(), namespace: string() },
  { required: ['kind', 'name'], 'x-kubernetes-map-type': 'atomic' },
)

/** `rbac.v1.RoleRef`: which rights. */
export const roleRef = object(
  { apiGroup: string(), kind: string(), name: string() },
  { required: ['apiGroup', 'kind', 'name'], 'x-kubernetes-map-type': 'atomic' },
)

/** Gives the rights of a Role or a ClusterRole in one namespace. */
export const roleBinding = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object({ roleRef, subjects: atomicList(rbacSubject) }, { required: ['roleRef'] }),
})

export type RoleBinding = ObjectOf<typeof roleBinding>
export type RbacSubject = Infer<typeof rbacSubject>
export type RoleRef = Infer<typeof roleRef>
