/** Reads bindings from the caches, or from the server if they are missing there. */
import { type BindingRef, bindingRefOf, type WorkloadRef } from '@/lib/domain/rebalance'
import { isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { keyOf } from '@/lib/kube/object'
import { type Binding, parseBindingKey } from '../shared/binding-kinds'
import type { ReconcilerContext } from '@/server/runtime/controller'

/** A binding of either kind with its kind and reference. */
export interface FoundBinding {
  kind: Kind<Binding>
  ref: BindingRef
  binding: Binding | undefined
}

/**
 * Returns the binding of a target. Reads the server before concluding that it does not exist, because that result is
 * final and the cache may be outdated.
 */
export async function findBinding(context: ReconcilerContext, workload: WorkloadRef): Promise<FoundBinding> {
  const ref = bindingRefOf(workload)
  const { kind } = parseBindingKey(`${ref.kind}/${keyOf(ref)}`)
  const cached = context.informers.of(kind).get(keyOf(ref))
  return { kind, ref, binding: cached ?? (await readBinding(context, kind, ref)) }
}

/**
 * Returns the binding of a target if it has the named kind. Names of bindings are in lower case and without group and
 * version, so `deployment` or `apps/v9` would also lead to the binding of a Deployment. Another version of the same
 * kind is accepted if the server serves it.
 */
export async function findNamedBinding(context: ReconcilerContext, workload: WorkloadRef): Promise<FoundBinding> {
  const found = await findBinding(context, workload)
  const resource = found.binding?.spec.resource
  if (!resource || (resource.apiVersion === workload.apiVersion && resource.kind === workload.kind)) return found
  const sameKind = resource.kind === workload.kind && groupOf(resource.apiVersion) === groupOf(workload.apiVersion)
  return sameKind && (await isServed(context, workload)) ? found : { ...found, binding: undefined }
}

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf('/')))

/** Reports whether the server serves that version of a kind. Rejects if that is unknown. */
async function isServed({ client }: ReconcilerContext, { apiVersion, kind }: WorkloadRef): Promise<boolean> {
  const parts = apiVersion.split('/').map(encodeURIComponent)
  const { status, body } = await client.raw('GET', `/${parts.length === 1 ? 'api' : 'apis'}/${parts.join('/')}`)
  if (status === 404) return false
  if (status !== 200) throw new Error(`the server answered ${status} when asked for the kinds of ${apiVersion}`)
  const { resources = [] } = body as { resources?: { kind?: string }[] }
  return resources.some((each) => each.kind === kind)
}

/** Reads the binding from the server; undefined if there is none. */
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
