/**
 * Takes a simulated member down, restores it and resizes it, with the annotations that kubectl would write, as the
 * user.
 */
import { type Message, message } from '@/lib/messages/message'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { isSimulated, SIM_NODES, SIM_STATE } from '@/lib/kube/simulation'
import { namedAnswer, type SimulationBody, simulationBody } from '@/lib/view/actions'
import { simulateNeeds } from '@/lib/view/needs'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { refuse } from '../http/refusal'
import type { ApiDeps } from './api-deps'
import { changeCluster, type ClusterChange } from './change-cluster'

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

function simulate(deps: ApiDeps, call: EndpointCall<SimulationBody>): Promise<{ name: string }> {
  const { body } = call
  const [annotation, value] = 'state' in body ? [SIM_STATE, body.state] : [SIM_NODES, String(body.nodes)]
  const decide = (cluster: Cluster): ClusterChange => {
    const { name, annotations = {} } = cluster.metadata
    if (!isSimulated(cluster)) throw refuse(409, 'NothingToDo', message('api.refused.notSimulated', { cluster: name }))
    const after = { [annotation]: value }
    return {
      before: { [annotation]: annotations[annotation] ?? 'up' },
      after,
      summary: summaryOf(body, name),
      patch: { metadata: { annotations: after } },
    }
  }
  return changeCluster(deps, call, { decide })
}

function summaryOf(body: SimulationBody, cluster: string): Message {
  if ('nodes' in body) return message('api.action.resize', { cluster, nodes: body.nodes })
  return message(body.state === 'down' ? 'api.action.takeDown' : 'api.action.bringBack', { cluster })
}
