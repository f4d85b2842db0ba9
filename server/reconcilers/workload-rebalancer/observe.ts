/** What a pass knows: everything from the caches, and bindings that are missing there from the server. */
import { type BindingRef, bindingRefOf, type WorkloadRef } from '@/lib/domain/rebalance'
import { isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { keyOf } from '@/lib/kube/object'
import { type Binding, parseBindingKey } from '../shared/binding-kinds'
import type { ReconcilerContext } from '@/server/runtime/controller'

/** A binding of either kind and how to write it. */
export interface FoundBinding {
  kind: Kind<Binding>
  ref: BindingRef
  binding: Binding | undefined
}

/** The binding of a target. "Not found" is final, so it is never concluded from a cache that may be behind. */
export async function findBinding(context: ReconcilerContext, workload: WorkloadRef): Promise<FoundBinding> {
  const ref = bindingRefOf(workload)
  const { kind } = parseBindingKey(`${ref.kind}/${keyOf(ref)}`)
  const cached = context.informers.of(kind).get(keyOf(ref))
  return { kind, ref, binding: cached ?? (await readBinding(context, kind, ref)) }
}

/** The binding as the server holds it now; undefined when there is none. */
export async function readBinding(
  context: ReconcilerContext, kind: Kind<Binding>, ref: BindingRef,
): Promise<Binding | undefined> {
  try {
    return await context.client.get(kind, ref)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
