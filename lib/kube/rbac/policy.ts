/** The bootstrap policy as objects, and the parts that an older state lacks. */
import type { ClusterRole } from '../kinds/cluster-role'
import type { ClusterRoleBinding } from '../kinds/cluster-role-binding'
import type { RbacSubject } from '../kinds/role-binding'
import type { Draft } from '../object'
import { aggregatedRules } from './aggregate'
import { bootstrapBindings, karmadaBindings, type PolicyBinding } from './bootstrap-bindings'
import { bootstrapRoles, karmadaRoles, type PolicyRole } from './bootstrap-roles'
import { uncovered } from './covers'
import { RBAC_GROUP } from './names'

const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate'
const identity = { apiVersion: `${RBAC_GROUP}/v1` } as const

export interface BootstrapPolicy {
  roles: readonly Draft<ClusterRole>[]
  bindings: readonly Draft<ClusterRoleBinding>[]
}

/** The policy of a server that serves Karmada's kinds, or of one that does not. */
export function bootstrapPolicy(hasKarmada: boolean): BootstrapPolicy {
  const roles = [...bootstrapRoles, ...(hasKarmada ? karmadaRoles : [])].map(roleOf)
  return {
    roles: gathered(roles),
    bindings: [...bootstrapBindings, ...(hasKarmada ? karmadaBindings : [])].map(bindingOf),
  }
}

/** Aggregated roles come with their rules; `view` is in `edit`, which is in `admin`. */
function gathered(roles: readonly Draft<ClusterRole>[]): Draft<ClusterRole>[] {
  let known = [...roles] as ClusterRole[]
  for (const name of ['view', 'edit', 'admin']) {
    const all = known
    known = all.map((role) => (role.metadata.name === name ? { ...role, rules: aggregatedRules(role, all) } : role))
  }
  return known
}

function metadataOf(name: string, labels: Readonly<Record<string, string>> = {}): Draft<ClusterRole>['metadata'] {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [AUTO_UPDATE]: 'true' },
  }
}

function roleOf({ name, rules, labels, aggregates }: PolicyRole): Draft<ClusterRole> {
  const aggregationRule = aggregates && { clusterRoleSelectors: [{ matchLabels: { [aggregates]: 'true' } }] }
  return {
    ...identity,
    kind: 'ClusterRole',
    metadata: metadataOf(name, labels),
    ...(aggregationRule && { aggregationRule }),
    rules: [...rules],
  }
}

function bindingOf({ role, name = role, groups = [], users = [] }: PolicyBinding): Draft<ClusterRoleBinding> {
  const subject =
    (kind: string) =>
    (of: string): RbacSubject => ({ kind, apiGroup: RBAC_GROUP, name: of })
  return {
    ...identity,
    kind: 'ClusterRoleBinding',
    metadata: metadataOf(name),
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
    subjects: [...groups.map(subject('Group')), ...users.map(subject('User'))],
  }
}

/**
 * The role with the rules that the policy has and it lacks; undefined when it lacks none, or when its owner has
 * switched that off with the annotation. Rules that the policy does not have stay: they are the owner's. The rules of
 * an aggregated role follow from other roles and are left to its controller.
 */
export function completedRole(present: ClusterRole, expected: Draft<ClusterRole>): ClusterRole | undefined {
  if (isProtected(present) || expected.aggregationRule) return undefined
  const rules = present.rules ?? []
  const missing = uncovered(rules, expected.rules ?? [], Infinity)
  return missing.length === 0 ? undefined : { ...present, rules: [...rules, ...missing] }
}

/** The same for whom a binding names. */
export function completedBinding(
  present: ClusterRoleBinding,
  expected: Draft<ClusterRoleBinding>,
): ClusterRoleBinding | undefined {
  if (isProtected(present) || present.roleRef.name !== expected.roleRef.name) return undefined
  const subjects = present.subjects ?? []
  const missing = (expected.subjects ?? []).filter(
    ({ kind, name }) => !subjects.some((subject) => subject.kind === kind && subject.name === name),
  )
  return missing.length === 0 ? undefined : { ...present, subjects: [...subjects, ...missing] }
}

function isProtected({ metadata }: ClusterRole | ClusterRoleBinding): boolean {
  return metadata.annotations?.[AUTO_UPDATE] !== 'true'
}
