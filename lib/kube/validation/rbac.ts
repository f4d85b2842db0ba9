/** Roles and their bindings, checked as kube-apiserver does. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, invalidField, requiredField, unsupportedField } from '../field-error'
import type { ClusterRole, PolicyRule } from '../kinds/cluster-role'
import type { RbacSubject, RoleBinding, RoleRef } from '../kinds/role-binding'
import type { UnknownObject } from '../object'
import { RBAC_GROUP } from '../rbac/names'
import { type LabelSelectorLike, requirementsOf } from '../selector'
import { checkPathSegment, checkSubdomain } from './formats'
import { validateLabelSelector } from './label-selector'

/** Validates a Role: each rule must have verbs and resources. */
export function validateRole(object: UnknownObject): FieldError[] {
  return rulesOf(object).flatMap((rule, index) => checkRule(rule, `rules[${index}]`, true))
}

/** ClusterRole: like a Role, and rules may also be about paths; an aggregation chooses something. */
export function validateClusterRole(object: UnknownObject): FieldError[] {
  return [
    ...rulesOf(object).flatMap((rule, index) => checkRule(rule, `rules[${index}]`, false)),
    ...checkAggregation((object as unknown as ClusterRole).aggregationRule),
  ]
}

function rulesOf(object: UnknownObject): readonly PolicyRule[] {
  return (object as { rules?: readonly PolicyRule[] | null }).rules ?? []
}

function checkRule(rule: PolicyRule, field: string, namespaced: boolean): FieldError[] {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
  const noVerbs = verbs?.length ? [] : [requiredField(`${field}.verbs`, 'verbs must contain at least one value')]
  if (nonResourceURLs?.length) {
    const wrong = (why: string): FieldError => invalidField(`${field}.nonResourceURLs`, nonResourceURLs, why)
    const mixed = apiGroups?.length || resources?.length || resourceNames?.length
    return [
      ...noVerbs,
      ...(namespaced ? [wrong('namespaced rules cannot apply to non-resource URLs')] : []),
      ...(mixed ? [wrong('rules cannot apply to both regular resources and non-resource URLs')] : []),
    ]
  }
  return [
    ...noVerbs,
    ...(apiGroups?.length
      ? []
      : [requiredField(`${field}.apiGroups`, 'resource rules must supply at least one api group')]),
    ...(resources?.length
      ? []
      : [requiredField(`${field}.resources`, 'resource rules must supply at least one resource')]),
  ]
}

function checkAggregation(aggregation: ClusterRole['aggregationRule']): FieldError[] {
  if (!aggregation) return []
  const field = 'aggregationRule.clusterRoleSelectors'
  const selectors = (aggregation.clusterRoleSelectors ?? []) as LabelSelectorLike[]
  if (selectors.length === 0) {
    return [requiredField(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
  }
  return selectors.flatMap((selector, index) => {
    const at = `${field}[${index}]`
    const wrong = requirementsOf(selector).ok ? [] : [invalidField(at, null, 'invalid label selector.')]
    return [...validateLabelSelector(selector, at), ...wrong]
  })
}

/** RoleBinding: a Role or a ClusterRole for users, groups and service accounts. */
export function validateRoleBinding(object: UnknownObject): FieldError[] {
  return checkBinding(object, ['Role', 'ClusterRole'])
}

/** ClusterRoleBinding: a ClusterRole for users, groups and service accounts of a named namespace. */
export function validateClusterRoleBinding(object: UnknownObject): FieldError[] {
  return checkBinding(object, ['ClusterRole'])
}

function checkBinding(object: UnknownObject, roleKinds: readonly string[]): FieldError[] {
  const { roleRef, subjects = [] } = object as unknown as RoleBinding
  const namespaced = roleKinds.includes('Role')
  return [
    ...(roleRef.apiGroup === RBAC_GROUP ? [] : [unsupportedField('roleRef.apiGroup', roleRef.apiGroup, [RBAC_GROUP])]),
    ...(roleKinds.includes(roleRef.kind) ? [] : [unsupportedField('roleRef.kind', roleRef.kind, roleKinds)]),
    ...(roleRef.name
      ? checkPathSegment(roleRef.name).map((why) => invalidField('roleRef.name', roleRef.name, why))
      : [requiredField('roleRef.name')]),
    ...subjects.flatMap((subject, index) => checkSubject(subject, `subjects[${index}]`, namespaced)),
  ]
}

const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group']

function checkSubject(subject: RbacSubject, field: string, namespaced: boolean): FieldError[] {
  const { kind, name, apiGroup = '' } = subject
  const nameless = name ? [] : [requiredField(`${field}.name`)]
  switch (kind) {
    case 'ServiceAccount':
      return [...nameless, ...checkAccount(subject, field, namespaced)]
    case 'User':
    case 'Group':
      if (apiGroup === RBAC_GROUP) return nameless
      return [...nameless, unsupportedField(`${field}.apiGroup`, apiGroup, [RBAC_GROUP])]
    default:
      return [...nameless, unsupportedField(`${field}.kind`, kind, SUBJECT_KINDS)]
  }
}

function checkAccount({ name, apiGroup, namespace }: RbacSubject, field: string, namespaced: boolean): FieldError[] {
  return [
    ...(name ? checkSubdomain(name).map((why) => invalidField(`${field}.name`, name, why)) : []),
    ...(apiGroup ? [unsupportedField(`${field}.apiGroup`, apiGroup, [''])] : []),
    ...(namespaced || namespace ? [] : [requiredField(`${field}.namespace`)]),
  ]
}

/** roleRef is immutable. */
export function validateRoleRefUnchanged(next: UnknownObject, old: UnknownObject): FieldError[] {
  const { roleRef } = next as unknown as RoleBinding
  if (deepEqual(roleRef, (old as unknown as RoleBinding).roleRef)) return []
  return [invalidField('roleRef', inGo(roleRef), 'cannot change roleRef')]
}

/** As a server of Go shows its own fields. */
function inGo({ apiGroup, kind, name }: RoleRef): object {
  return { APIGroup: apiGroup, Kind: kind, Name: name }
}
