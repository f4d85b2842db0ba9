/** The federation of the bench of rights: many namespaces with a workload each, and users who may list in some of them. */
import type { RoleBinding } from '@/lib/kube/kinds/role-binding'
import type { Draft } from '@/lib/kube/object'
import { RBAC_GROUP } from '@/lib/kube/rbac/names'

export interface FederationShape {
  users: number
  namespaces: number
  /** Namespaces in which each user may list. */
  each: number
}

export const TENANT = 'tenant'

export const userOf = (index: number): string => `user-${index}`
export const namespaceName = (index: number): string => `ns-${String(index).padStart(5, '0')}`

/** The namespaces of a user; of the first the access is lost later. */
export function namespacesOf(user: number, { namespaces, each }: FederationShape): string[] {
  return Array.from({ length: each }, (_, at) => namespaceName((user * each + at) % namespaces))
}

export const bindingName = (user: number): string => `tenant-${userOf(user)}`

export function roleBindingOf(user: number, namespace: string): Draft<RoleBinding> {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'RoleBinding',
    metadata: { name: bindingName(user), namespace },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: TENANT },
    subjects: [{ apiGroup: RBAC_GROUP, kind: 'User', name: userOf(user) }],
  }
}
