/** RBAC rules with which the control plane impersonates, in a member cluster, the users who have access to clusters/proxy. */
import type { ClusterRole, PolicyRule } from '../kinds/cluster-role'
import type { ClusterRoleBinding } from '../kinds/cluster-role-binding'

const has = (list: readonly string[] | undefined, wanted: string): boolean =>
  (list ?? []).some((item) => item === '*' || item === wanted)

/** `clusters/proxy` of that cluster, or the proxy of the search over all of them. */
function reaches({ apiGroups, resources, resourceNames = [] }: PolicyRule, cluster: string): boolean {
  const isNamed = resourceNames.length === 0 || resourceNames.includes(cluster)
  if (has(apiGroups, 'cluster.karmada.io') && has(resources, 'clusters/proxy') && isNamed) return true
  return has(apiGroups, 'search.karmada.io') && has(resources, 'proxying/proxy')
}

const IMPERSONATED = [
  ['User', 'users'],
  ['ServiceAccount', 'serviceaccounts'],
  ['Group', 'groups'],
] as const

/** Which users, ServiceAccounts and groups may be acted for in that cluster. */
export function impersonationRules(
  roles: readonly ClusterRole[],
  bindings: readonly ClusterRoleBinding[],
  cluster: string,
): PolicyRule[] {
  const reaching = new Set(
    roles
      .filter(({ rules }) => (rules ?? []).some((rule) => reaches(rule, cluster)))
      .map(({ metadata }) => metadata.name),
  )
  const subjects = bindings
    .filter(({ roleRef }) => roleRef.kind === 'ClusterRole' && reaching.has(roleRef.name))
    .flatMap((binding) => binding.subjects ?? [])
  return IMPERSONATED.flatMap(([kind, resource]) => {
    const names = [...new Set(subjects.filter((subject) => subject.kind === kind).map(({ name }) => name))].toSorted()
    if (names.length === 0) return []
    return [{ verbs: ['impersonate'], apiGroups: [''], resources: [resource], resourceNames: names }]
  })
}
