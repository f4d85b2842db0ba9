/** Identifies previews and their workloads. */
import type { TargetCluster } from '@/lib/kube/kinds/binding'
import { fnv1a32 } from '@/lib/std/fnv'
import type { WorkloadRef } from './sync-status'

interface Planned {
  plan: { workload: WorkloadRef; verdict: string; before: readonly TargetCluster[]; after: readonly TargetCluster[] }
  generation: number
}

/** Equal for two plans exactly if they do the same to the same versions of the workloads. */
export function baseOf(planned: readonly Planned[]): string {
  const text = JSON.stringify(
    planned.map(({ plan, generation }) => [
      identityOf(plan.workload),
      plan.verdict,
      generation,
      plan.before,
      plan.after,
    ]),
  )
  return [text, `${text}.`].map((part) => fnv1a32(part).toString(16).padStart(8, '0')).join('')
}

/** Returns what makes a workload another one. */
export function identityOf({ apiVersion, kind, namespace = '', name }: WorkloadRef): string[] {
  return [apiVersion, kind, namespace, name]
}

/** Returns `kind/namespace/name`, the key of bindings in `concludePlan`. */
export function refKey(kind: string, { namespace = '', name }: { namespace?: string; name: string }): string {
  return `${kind}/${namespace}/${name}`
}
