/** Aggregated ClusterRoles, whose rules come from other ClusterRoles that labels select. */
import type { ClusterRole, PolicyRule } from '../kinds/cluster-role'
import { type LabelSelectorLike, matchesLabelSelector } from '../selector'

/** The rules that `role` gathers from `roles`: selector by selector, role by role in the order of names, each once. */
export function aggregatedRules(role: ClusterRole, roles: readonly ClusterRole[]): PolicyRule[] {
  const sorted = roles.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const selectors = (role.aggregationRule?.clusterRoleSelectors ?? []) as LabelSelectorLike[]
  const chosen = selectors.flatMap((selector) =>
    sorted.filter(
      ({ metadata }) => metadata.name !== role.metadata.name && matchesLabelSelector(selector, metadata.labels),
    ),
  )
  const rules = new Map<string, PolicyRule>()
  for (const rule of chosen.flatMap((one) => one.rules ?? [])) {
    const { apiGroups, nonResourceURLs, resourceNames, resources, verbs } = rule
    const key = JSON.stringify([apiGroups, nonResourceURLs, resourceNames, resources, verbs])
    if (!rules.has(key)) rules.set(key, rule)
  }
  return [...rules.values()]
}
