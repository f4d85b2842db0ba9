/** Taints of clusters, written as the user: cordon, uncordon, and any other. */
import { message } from '@/lib/messages/message'
import { type Cluster, cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { formatTaint } from '@/lib/kube/taint'
import { namedAnswer, type TaintBody, taintBody } from '@/lib/view/actions'
import { failoverNeeds } from '@/lib/view/needs'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { changeObject } from '../http/precondition'
import { refuse } from '../http/refusal'
import { type ApiDeps, scopeIn } from './api-deps'
import { FIELD_MANAGER } from './create-rebalancer'
import { missing } from './fleet-endpoints'

export function taintEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/v1/clusters/{cluster}/taints',
      kind: 'action',
      tag: 'api.tag.fleet',
      summary: 'api.action.taint',
      description: 'api.endpoint.taint.description',
      event: 'TaintedByUser',
      body: taintBody,
      response: namedAnswer,
      needs: ({ params: { cluster = '' } }) => failoverNeeds({ action: 'drain', cluster }),
      perform: async (call) => ({ body: await changeTaints(deps, call) }),
    }),
  ]
}

type Taints = NonNullable<Cluster['spec']['taints']>

async function changeTaints({ views }: ApiDeps, call: EndpointCall<TaintBody>): Promise<{ name: string }> {
  const {
    params: { cluster: name = '' },
    body,
    principal: { client },
  } = call
  if (!views.models.of(await scopeIn(call as EndpointCall)).cluster(name)) throw missing('Cluster', name)
  // A merge patch replaces the whole list: no change of another client may be lost with it.
  await changeObject(call, { kind: clusterKind, ref: { name }, guarded: true }, async ({ object, lock }) => {
    const before = object.spec.taints ?? []
    const taints = changed(before, body)
    const about = {
      object: { apiVersion: object.apiVersion, kind: object.kind, name, uid: object.metadata.uid },
      before: { taints: before },
      summary: message(body.change === 'add' ? 'api.action.addTaint' : 'api.action.removeTaint', {
        cluster: name,
        taint: formatTaint(body.taint),
      }),
    }
    call.concerns(about)
    const value = { metadata: lock, spec: { taints } }
    await client.patch(clusterKind, { name }, { type: 'merge', value }, { fieldManager: FIELD_MANAGER })
    call.concerns({ ...about, after: { taints } })
  })
  return { name }
}

/** Refuses what changes nothing. */
function changed(before: Taints, { change, taint }: TaintBody): Taints {
  const others = before.filter(({ key, effect }) => key !== taint.key || effect !== taint.effect)
  const present = before.find(({ key, effect }) => key === taint.key && effect === taint.effect)
  const isNothing = change === 'remove' ? !present : present && (present.value ?? '') === (taint.value ?? '')
  if (isNothing) throw refuse(409, 'NothingToDo', message('api.refused.taintUnchanged', { taint: formatTaint(taint) }))
  if (change === 'remove') return others
  const { key, value, effect } = taint
  return [...others, { key, effect, ...(value && { value }) }]
}
