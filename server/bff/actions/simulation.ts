/** Takes a simulated member down and brings it back: the annotation that kubectl writes, written as the user. */
import { message } from '@/lib/messages/message'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { isSimulated, SIM_STATE } from '@/lib/kube/simulation'
import { namedAnswer, type SimulationBody, simulationBody } from '@/lib/view/actions'
import { simulateNeeds } from '@/lib/view/needs'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { changeObject } from '../http/precondition'
import { refuse } from '../http/refusal'
import { type ApiDeps, scopeIn } from './api-deps'
import { FIELD_MANAGER } from './create-rebalancer'
import { missing } from './fleet-endpoints'

export function simulationEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/v1/clusters/{cluster}/simulation',
      kind: 'action',
      tag: 'api.tag.fleet',
      summary: 'api.action.simulate',
      description: 'api.endpoint.simulate.description',
      event: 'SimulatedByUser',
      body: simulationBody,
      response: namedAnswer,
      needs: ({ params: { cluster = '' } }) => simulateNeeds(cluster),
      perform: async (call) => ({ body: await simulate(deps, call) }),
    }),
  ]
}

async function simulate({ views }: ApiDeps, call: EndpointCall<SimulationBody>): Promise<{ name: string }> {
  const {
    params: { cluster: name = '' },
    body: { state },
    principal: { client },
  } = call
  if (!views.models.of(await scopeIn(call as EndpointCall)).cluster(name)) throw missing('Cluster', name)
  await changeObject(call, { kind: clusterKind, ref: { name } }, async ({ object, lock }) => {
    if (!isSimulated(object)) {
      throw refuse(409, 'NothingToDo', message('api.refused.notSimulated', { cluster: name }))
    }
    const {
      apiVersion,
      kind,
      metadata: { uid, annotations = {} },
    } = object
    const about = {
      object: { apiVersion, kind, name, uid },
      before: { [SIM_STATE]: annotations[SIM_STATE] ?? 'up' },
      summary: message(state === 'down' ? 'api.action.takeDown' : 'api.action.bringBack', { cluster: name }),
    }
    call.concerns(about)
    const value = { metadata: { ...lock, annotations: { [SIM_STATE]: state } } }
    await client.patch(clusterKind, { name }, { type: 'merge', value }, { fieldManager: FIELD_MANAGER })
    call.concerns({ ...about, after: { [SIM_STATE]: state } })
  })
  return { name }
}
