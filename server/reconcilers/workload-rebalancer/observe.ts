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

/**
 * The binding of a target, provided that it is that of the named kind: the names of bindings are in lower case and say
 * nothing of group and version, so that `deployment` or `apps/v9` lead to the binding of a Deployment. Another version
 * of the same kind is the same workload where the server has it.
 */
export async function findNamedBinding(context: ReconcilerContext, workload: WorkloadRef): Promise<FoundBinding> {
  const found = await findBinding(context, workload)
  const resource = found.binding?.spec.resource
  if (!resource || (resource.apiVersion === workload.apiVersion && resource.kind === workload.kind)) return found
  const sameKind = resource.kind === workload.kind && groupOf(resource.apiVersion) === groupOf(workload.apiVersion)
  return sameKind && (await isServed(context, workload)) ? found : { ...found, binding: undefined }
}

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf('/')))

/** Whether the server has that version of a kind. Rejects when it does not say. */
async function isServed({ client }: ReconcilerContext, { apiVersion, kind }: WorkloadRef): Promise<boolean> {
  const parts = apiVersion.split('/').map(encodeURIComponent)
  const { status, body } = await client.raw('GET', `/${parts.length === 1 ? 'api' : 'apis'}/${parts.join('/')}`)
  if (status === 404) return false
  if (status !== 200) throw new Error(`the server answered ${status} when asked for the kinds of ${apiVersion}`)
  const { resources = [] } = body as { resources?: { kind?: string }[] }
  return resources.some((each) => each.kind === kind)
}

/** The binding as the server holds it now; undefined when there is none. */
export async function readBinding(
  context: ReconcilerContext,
  kind: Kind<Binding>,
  ref: BindingRef,
): Promise<Binding | undefined> {
  try {
    return await context.client.get(kind, ref)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
