/** Propagation policies: as the live stream shows them. */
import { z } from 'zod'
import { policyId } from '@/lib/view/policy-model'
import { policySchema } from '@/lib/view/schemas/policies'
import { CLUSTER_POLICIES, placeOfPolicy, PROPAGATION_POLICIES } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import { versionOf } from '../http/precondition'
import { type ApiDeps, scopeIn, scopeWith } from './api-deps'
import { missing } from './fleet-endpoints'

/** In paths, stands for the namespace of what has none. */
const NO_NAMESPACE = '-'

export function policyEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [listPolicies(deps), readPolicy(deps)]
}

/** The policy that the path names. */
export function policyIn({ params: { namespace = NO_NAMESPACE, name = '' } }: Pick<EndpointCall, 'params'>) {
  return { ...(namespace !== NO_NAMESPACE && { namespace }), name }
}

function listPolicies({ views: { policies } }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/policies',
    kind: 'query',
    tag: 'api.tag.placement',
    summary: 'api.endpoint.policies',
    query: z.strictObject(pageParameters),
    response: pageSchema(policySchema),
    perform: async (call) => {
      const scope = await scopeWith(call, PROPAGATION_POLICIES, CLUSTER_POLICIES)
      const ids = policies.ids().filter((id) => {
        const place = placeOfPolicy(id)
        return place !== undefined && scope.sees(place)
      })
      return pageOf({ ids, row: (id) => policies.row(id, scope), query: call.query })
    },
  })
}

function readPolicy({ views: { policies }, cache }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/policies/{namespace}/{name}',
    kind: 'query',
    tag: 'api.tag.placement',
    summary: 'api.endpoint.policy',
    description: 'api.endpoint.policy.description',
    response: policySchema,
    perform: async (call) => {
      const id = policyId(policyIn(call as EndpointCall))
      const body = policies.row(id, await scopeIn(call))
      if (!body) throw missing('policy', id)
      return { body, version: versionOf(cache.policy(id)?.metadata) }
    },
  })
}
