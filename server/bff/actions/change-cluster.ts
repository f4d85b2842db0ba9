/** One change of a cluster, written as the user by a merge patch; the audit record holds the state before and after. */
import type { Message } from '@/lib/messages/message'
import { type Cluster, cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import type { EndpointCall } from '../http/endpoint'
import { changeObject } from '../http/precondition'
import { type ApiDeps, scopeIn } from './api-deps'
import { FIELD_MANAGER } from './create-rebalancer'
import { missing } from './fleet-endpoints'

export interface ClusterChange {
  before: object
  after: object
  summary: Message
  /** Merged into the cluster. */
  patch: { metadata?: object; spec?: object }
}

interface Wanted {
  /** True when the patch replaces a list; the write is then guarded so that no concurrent change is lost. */
  guarded?: boolean
  /** Throws a refusal when nothing would change. */
  decide: (cluster: Cluster) => ClusterChange
}

/** Changes the cluster named in the path. Throws 404 when the user may not see it. */
export async function changeCluster<Body>(
  { views }: ApiDeps,
  call: EndpointCall<Body>,
  { guarded = false, decide }: Wanted,
): Promise<{ name: string }> {
  const {
    params: { cluster: name = '' },
    principal: { client },
  } = call
  if (!views.models.of(await scopeIn(call as EndpointCall)).cluster(name)) throw missing('Cluster', name)
  await changeObject(call, { kind: clusterKind, ref: { name }, guarded }, async ({ object, lock }) => {
    const { before, after, summary, patch } = decide(object)
    const { apiVersion, kind, metadata } = object
    const about = { object: { apiVersion, kind, name, uid: metadata.uid }, before, summary }
    call.concerns(about)
    const value = { ...patch, metadata: { ...lock, ...patch.metadata } }
    await client.patch(clusterKind, { name }, { type: 'merge', value }, { fieldManager: FIELD_MANAGER })
    call.concerns({ ...about, after })
  })
  return { name }
}
