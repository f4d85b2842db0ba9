/** The defaults of roles and their bindings. */
import type { ClusterRoleBinding } from '../kinds/cluster-role-binding'
import type { RbacSubject, RoleBinding } from '../kinds/role-binding'
import type { UnknownObject } from '../object'
import { RBAC_GROUP } from '../rbac/names'

/** A role without rules has an empty list: the field is never omitted. */
export function defaultRole(role: UnknownObject): UnknownObject {
  const { rules } = role
  return { ...role, rules: Array.isArray(rules) && rules.length > 0 ? rules : null }
}

/** Users, groups and roles default to the RBAC API group, service accounts to the core group. */
export function defaultBinding<T extends RoleBinding | ClusterRoleBinding>(binding: T): T {
  const { roleRef, subjects } = binding
  const complete = { apiGroup: roleRef?.apiGroup || RBAC_GROUP, kind: roleRef?.kind ?? '', name: roleRef?.name ?? '' }
  return { ...binding, roleRef: complete, ...(subjects && { subjects: subjects.map(defaultSubject) }) }
}

function defaultSubject(subject: RbacSubject): RbacSubject {
  const isPerson = subject.kind === 'User' || subject.kind === 'Group'
  const named = { ...subject, kind: subject.kind ?? '', name: subject.name ?? '' }
  return isPerson && !subject.apiGroup ? { ...named, apiGroup: RBAC_GROUP } : named
}
