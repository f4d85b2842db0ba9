/** Taints of clusters, written as the user: cordon, uncordon, and any other. */
import { message } from '@/lib/messages/message'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { formatTaint } from '@/lib/kube/taint'
import { namedAnswer, type TaintBody, taintBody } from '@/lib/view/actions'
import { failoverNeeds } from '@/lib/view/needs'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { refuse } from '../http/refusal'
import type { ApiDeps } from './api-deps'
import { changeCluster, type ClusterChange } from './change-cluster'

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

function changeTaints(deps: ApiDeps, call: EndpointCall<TaintBody>): Promise<{ name: string }> {
  const { body } = call
  const decide = ({ metadata: { name }, spec }: Cluster): ClusterChange => {
    const before = spec.taints ?? []
    const taints = changed(before, body)
    const summary = message(body.change === 'add' ? 'api.action.addTaint' : 'api.action.removeTaint', {
      cluster: name,
      taint: formatTaint(body.taint),
    })
    return { before: { taints: before }, after: { taints }, summary, patch: { spec: { taints } } }
  }
  return changeCluster(deps, call, { guarded: true, decide })
}

/** Returns the changed taints. Throws a refusal when nothing would change. */
function changed(before: Taints, { change, taint }: TaintBody): Taints {
  const others = before.filter(({ key, effect }) => key !== taint.key || effect !== taint.effect)
  const present = before.find(({ key, effect }) => key === taint.key && effect === taint.effect)
  const isNothing = change === 'remove' ? !present : present && (present.value ?? '') === (taint.value ?? '')
  if (isNothing) throw refuse(409, 'NothingToDo', message('api.refused.taintUnchanged', { taint: formatTaint(taint) }))
  if (change === 'remove') return others
  const { key, value, effect } = taint
  return [...others, { key, effect, ...(value && { value }) }]
}
