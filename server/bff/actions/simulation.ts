/** Takes a simulated member down, brings it back, and resizes it: the annotations that kubectl writes, written as the user. */
import { type Message, message } from '@/lib/messages/message'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { isSimulated, SIM_NODES, SIM_STATE } from '@/lib/kube/simulation'
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
    body,
    principal: { client },
  } = call
  if (!views.models.of(await scopeIn(call as EndpointCall)).cluster(name)) throw missing('Cluster', name)
  const [annotation, value] = 'state' in body ? [SIM_STATE, body.state] : [SIM_NODES, String(body.nodes)]
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
      before: { [annotation]: annotations[annotation] ?? 'up' },
      summary: summaryOf(body, name),
    }
    call.concerns(about)
    const patch = { metadata: { ...lock, annotations: { [annotation]: value } } }
    await client.patch(clusterKind, { name }, { type: 'merge', value: patch }, { fieldManager: FIELD_MANAGER })
    call.concerns({ ...about, after: { [annotation]: value } })
  })
  return { name }
}

function summaryOf(body: SimulationBody, cluster: string): Message {
  if ('nodes' in body) return message('api.action.resize', { cluster, nodes: body.nodes })
  return message(body.state === 'down' ? 'api.action.takeDown' : 'api.action.bringBack', { cluster })
}
