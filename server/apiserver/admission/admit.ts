import type { UnknownObject } from '@/lib/kube/object'
import type { Scope } from '../api'
import type { Review } from './webhook'

/**
 * Calls the webhooks for an object that is not stored: an Eviction, a Binding, the finalizers of a namespace. Returns
 * the mutated object. State that was read before may have changed when this resolves.
 */
export async function admit(
  scope: Scope,
  review: Review,
  { object, old }: { object: UnknownObject; old?: UnknownObject },
): Promise<UnknownObject> {
  const admission = scope.api.admission.admissionFor(scope, review)
  if (!admission) return object
  const admitted = await admission.mutate(object, old)
  await admission.validate(admitted, old)
  return admitted
}
