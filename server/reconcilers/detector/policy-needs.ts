/** What a policy refers to by name, read when it is applied: override policies and priority classes. */
import type { Policy } from '@/lib/domain/propagation'
import type { UnknownObject } from '@/lib/kube/object'
import type { ReconcilerContext } from '@/server/runtime/controller'

/** Throws until every override policy that the policy waits for exists. */
export async function requireOverrides({ client }: ReconcilerContext, { metadata, spec }: Policy): Promise<void> {
  const collection = metadata.namespace === undefined
    ? '/apis/policy.karmada.io/v1alpha1/clusteroverridepolicies'
    : `/apis/policy.karmada.io/v1alpha1/namespaces/${metadata.namespace}/overridepolicies`
  for (const name of spec.dependentOverrides ?? []) {
    const { status } = await client.raw('GET', `${collection}/${encodeURIComponent(name)}`)
    if (status !== 200) throw new Error('waiting for dependent overrides')
  }
}

/** The value of the priority class that the policy names; only namespaced templates have one. */
export async function readSchedulePriority(
  { client }: ReconcilerContext, template: UnknownObject, { spec }: Policy,
): Promise<number | undefined> {
  const wanted = spec.schedulePriority
  if (!wanted || template.metadata.namespace === undefined) return undefined
  const { priorityClassName, priorityClassSource } = wanted
  const path = `/apis/scheduling.k8s.io/v1/priorityclasses/${encodeURIComponent(priorityClassName)}`
  if (priorityClassSource !== 'KubePriorityClass') throw new Error('unsupported priority class source')
  const { status, body } = await client.raw('GET', path)
  if (status !== 200) throw new Error(`priorityclasses.scheduling.k8s.io "${priorityClassName}" not found`)
  return (body as { value: number }).value
}
