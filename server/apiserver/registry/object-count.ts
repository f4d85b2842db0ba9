/** How many objects of one kind a namespace may hold, so that no tenant fills memory and disk of all. */
import { kubeError } from '@/lib/kube/errors'
import type { Scope } from '../api'
import type { Caller } from '../call'
import { flowSchemaOf } from '../fairness/flow-schemas'

export const MAX_OBJECTS_OF_KIND = 20_000
const QUOTA = 'evenkeel-object-count'

/** Throws 403 in the words of a ResourceQuota. Administrators and components of the system are not limited. */
export function refuseTooMany(
  { api, keyspace, resource }: Scope,
  namespace: string,
  { name, caller }: { name: string; caller: Caller },
): void {
  if (!['workload-low', 'global-default'].includes(flowSchemaOf({ caller, path: '' }).priorityLevel)) return
  const used = api.store.count({ keyspace: keyspace.name, resource: resource.id }, namespace)
  if (used < MAX_OBJECTS_OF_KIND) return
  const { id, kind } = resource
  const limits = `requested: count/${id}=1, used: count/${id}=${used}, limited: count/${id}=${MAX_OBJECTS_OF_KIND}`
  throw kubeError(403, 'Forbidden', `${id} "${name}" is forbidden: exceeded quota: ${QUOTA}, ${limits}`, {
    name,
    group: kind.group,
    kind: kind.plural,
  })
}
