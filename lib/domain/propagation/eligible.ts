/** Decides which objects of the control plane may be propagated. */
import type { Kind } from '../../kube/kind'
import { isReservedNamespace } from '../../kube/names'
import type { KubeObject } from '../../kube/object'

/** API groups that configure the federation and are therefore never propagated. */
const OWN_GROUPS: ReadonlySet<string> = new Set(
  ['cluster', 'policy', 'work', 'config', 'networking', 'autoscaling', 'remedy', 'apps']
    .map((group) => `${group}.karmada.io`)
    .concat('evenkeel.io'),
)

/** Namespaces whose objects are not propagated unless configured otherwise. */
export const DEFAULT_SKIPPED_NAMESPACES: readonly RegExp[] = [/^kube-.*$/]

/** Reports whether a policy may select the kind. Events and leases belong to the control plane. */
export function isPropagatableKind({ group, version, kind }: Kind): boolean {
  if (OWN_GROUPS.has(group) || group === 'events.k8s.io') return false
  if (group === '' && kind === 'Event') return false
  return !(group === 'coordination.k8s.io' && version === 'v1')
}

/** Reports whether a policy may select the object; cluster-scoped ones always may be selected. */
export function isPropagatable({ metadata }: KubeObject, skippedNamespaces = DEFAULT_SKIPPED_NAMESPACES): boolean {
  const { namespace } = metadata
  return (
    namespace === undefined
    || !(isReservedNamespace(namespace) || skippedNamespaces.some((pattern) => pattern.test(namespace)))
  )
}
