import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { atomicList } from './lists'
import { rbacSubject, roleRef } from './role-binding'

/** Gives the rights of a ClusterRole everywhere. */
export const clusterRoleBinding = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  scope: 'Cluster',
  origin: 'builtin',
  fields: object({ roleRef, subjects: atomicList(rbacSubject) }, { required: ['roleRef'] }),
})

export type ClusterRoleBinding = ObjectOf<typeof clusterRoleBinding>
