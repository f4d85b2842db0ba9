/** Documents of propagation policies, read and written as the user. */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { clusterPropagationPolicy } from '@/lib/kube/kinds/cluster-propagation-policy'
import { propagationPolicy } from '@/lib/kube/kinds/propagation-policy'
import type { Draft, KubeObject } from '@/lib/kube/object'
import { message } from '@/lib/messages/message'
import type { Answered, Audited, EndpointCall } from '../http/endpoint'
import { changeObject, versionOf } from '../http/precondition'
import { refuse } from '../http/refusal'
import { FIELD_MANAGER } from './create-rebalancer'

type Manifest = Record<string, unknown>
interface PolicyDocument {
  manifest: Manifest
}

/** Placeholder in paths for the namespace of cluster-scoped objects. */
const NO_NAMESPACE = '-'

/** Returns the policy named in the path. */
export function policyIn({ params: { namespace = NO_NAMESPACE, name = '' } }: Pick<EndpointCall, 'params'>) {
  return { ...(namespace !== NO_NAMESPACE && { namespace }), name }
}

const kindFor = (namespace: string | undefined): Kind =>
  (namespace === undefined ? clusterPropagationPolicy : propagationPolicy) as unknown as Kind

/** Returns the metadata of a manifest in any form that a client may send. */
const metadataOf = (manifest: Manifest): Record<string, unknown> =>
  typeof manifest['metadata'] === 'object' && manifest['metadata'] !== null
    ? (manifest['metadata'] as Record<string, unknown>)
    : {}

export function namespaceIn(manifest: Manifest): string | undefined {
  const { namespace } = metadataOf(manifest)
  return typeof namespace === 'string' && namespace !== '' ? namespace : undefined
}

/** Handles GET /api/v1/policies/{namespace}/{name}/document. */
export async function readDocument(call: EndpointCall): Promise<Answered<PolicyDocument>> {
  const ref = policyIn(call)
  return answer(await call.principal.client.get(kindFor(ref.namespace), ref))
}

/** Handles POST /api/v1/policy-dry-runs: returns what the API server would store. */
export async function tryPolicy({
  principal: { client },
  body,
}: EndpointCall<PolicyDocument>): Promise<PolicyDocument> {
  const { kind, object } = checked(body.manifest)
  const options = { dryRun: true, fieldManager: FIELD_MANAGER }
  const { namespace, name = '', resourceVersion } = object.metadata
  if (resourceVersion === undefined) return answer(await client.create(kind, object, options)).body
  const before = await client.get(kind, { name, ...(namespace !== undefined && { namespace }) })
  return answer(await client.update(kind, replaced(before, object), options)).body
}

/**
 * Returns the policy with the edited fields; the other metadata, including the permanent id, stays as the API server
 * has it.
 */
const replaced = (before: KubeObject, edited: Draft<KubeObject>): Draft<KubeObject> => {
  const { labels, annotations } = edited.metadata
  return { ...edited, metadata: { ...before.metadata, ...(labels && { labels }), ...(annotations && { annotations }) } }
}

/** Handles POST /api/v1/policies. */
export async function createPolicy(call: EndpointCall<PolicyDocument>): Promise<Answered<PolicyDocument>> {
  const { kind, object } = checked(call.body.manifest)
  call.concerns({ object: auditedAs(kind, object), after: specOf(object) })
  const created = await call.principal.client.create(kind, object, { fieldManager: FIELD_MANAGER })
  return { ...answer(created), status: 201 }
}

/** Handles PUT /api/v1/policies/{namespace}/{name}. With If-Match only the version that the user edited is replaced. */
export function updatePolicy(call: EndpointCall<PolicyDocument>): Promise<Answered<PolicyDocument>> {
  const ref = policyIn(call)
  const { kind, object } = checked(call.body.manifest)
  const { namespace, name } = object.metadata
  if (namespace !== ref.namespace || name !== ref.name)
    throw refuse(400, 'Invalid', message('policies.refused.otherName'), { field: 'manifest.metadata' })
  return changeObject(call, { kind, ref, guarded: true }, async ({ object: before }) => {
    call.concerns({ object: auditedAs(kind, before), before: specOf(before) })
    const next = replaced(before, object)
    const after = await call.principal.client.update(kind, next, { fieldManager: FIELD_MANAGER })
    call.concerns({ object: auditedAs(kind, after), before: specOf(before), after: specOf(after) })
    return answer(after)
  })
}

/** Returns a manifest of one of the two kinds; the API server validates the rest. */
function checked(manifest: Manifest): { kind: Kind; object: Draft<KubeObject> } {
  const kind = kindFor(namespaceIn(manifest))
  if (manifest['apiVersion'] !== apiVersionOf(kind) || manifest['kind'] !== kind.kind)
    throw refuse(400, 'Invalid', message('policies.refused.kind'), { field: 'manifest.kind' })
  return { kind, object: manifest as unknown as Draft<KubeObject> }
}

const specOf = (object: object): unknown => (object as { spec?: unknown }).spec

const auditedAs = (kind: Kind, { metadata: { namespace, name = '', uid } }: Draft<KubeObject>): Audited['object'] => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  ...(namespace !== undefined && { namespace }),
  name,
  ...(uid !== undefined && { uid }),
})

/** managedFields are not editable. */
function answer(object: KubeObject): Answered<PolicyDocument> {
  const { managedFields: _fields, ...metadata } = object.metadata
  const version = versionOf(object.metadata)
  return { body: { manifest: { ...object, metadata } }, ...(version !== undefined && { version }) }
}
