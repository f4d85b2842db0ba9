/** Which objects of the control plane may be propagated at all. */
import type { Kind } from '../../kube/kind'
import { isReservedNamespace } from '../../kube/names'
import type { KubeObject } from '../../kube/object'

/** Groups that steer the federation and therefore never leave the control plane. */
const OWN_GROUPS: ReadonlySet<string> = new Set(
  ['cluster', 'policy', 'work', 'config', 'networking', 'autoscaling', 'remedy', 'apps']
    .map((group) => `${group}.karmada.io`)
    .concat('evenkeel.io'),
)

/** Namespaces whose objects stay in the control plane unless configured otherwise. */
export const DEFAULT_SKIPPED_NAMESPACES: readonly RegExp[] = [/^kube-.*$/]

/** True for kinds that a policy may select. Events and leases are the control plane's own business. */
export function isPropagatableKind({ group, version, kind }: Kind): boolean {
  if (OWN_GROUPS.has(group) || group === 'events.k8s.io') return false
  if (group === '' && kind === 'Event') return false
  return !(group === 'coordination.k8s.io' && version === 'v1')
}

/** True for objects that a policy may select; cluster-scoped ones always may. */
export function isPropagatable({ metadata }: KubeObject, skippedNamespaces = DEFAULT_SKIPPED_NAMESPACES): boolean {
  const { namespace } = metadata
  return (
    namespace === undefined
    || !(isReservedNamespace(namespace) || skippedNamespaces.some((pattern) => pattern.test(namespace)))
  )
}
