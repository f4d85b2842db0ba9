/** Reads what a policy refers to by name when it is applied: override policies and priority classes. */
import type { Policy } from '@/lib/domain/propagation'
import { isNotFound } from '@/lib/kube/errors'
import { clusterOverridePolicy, overridePolicy, priorityClass } from '@/lib/kube/kinds'
import type { Kind } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import { AwaitedError, type ReconcilerContext } from '@/server/runtime/controller'

/** Throws until every override policy in `dependentOverrides` exists. */
export async function requireOverrides({ client }: ReconcilerContext, { metadata, spec }: Policy): Promise<void> {
  const { namespace } = metadata
  const kind: Kind = namespace === undefined ? clusterOverridePolicy : overridePolicy
  for (const name of spec.dependentOverrides ?? []) {
    try {
      await client.get(kind, { name, ...(namespace !== undefined && { namespace }) })
    } catch (error) {
      if (isNotFound(error)) throw new AwaitedError('waiting for dependent overrides')
      throw error
    }
  }
}

/** Sources in the API that no controller supports yet. */
const UNSUPPORTED_SOURCES: ReadonlySet<string> = new Set(['PodPriorityClass', 'FederatedPriorityClass'])

/** Returns the value of the priority class in the policy; undefined for cluster-scoped templates. */
export async function readSchedulePriority(
  { client }: ReconcilerContext,
  template: UnknownObject,
  { spec }: Policy,
): Promise<number | undefined> {
  const wanted = spec.schedulePriority
  if (!wanted || template.metadata.namespace === undefined) return undefined
  const source: string = wanted.priorityClassSource
  if (UNSUPPORTED_SOURCES.has(source)) {
    throw new Error(`priority class source is ${source}, but ${source} is not supported yet`)
  }
  if (source !== 'KubePriorityClass') throw new Error('unsupported priority class source')
  return (await client.get(priorityClass, { name: wanted.priorityClassName })).value
}
