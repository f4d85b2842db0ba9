/** Propagation policies: the rows of the live stream, their documents, and the endpoints of the placement lab. */
import { z } from 'zod'
import { createPolicyNeeds, savePolicyNeeds } from '@/lib/view/needs'
import { policyId } from '@/lib/view/policy-model'
import {
  labBody,
  labSchema,
  placementPreviewBody,
  placementPreviewSchema,
  policyBody,
  policyDocumentSchema,
} from '@/lib/view/schemas/lab'
import { policySchema } from '@/lib/view/schemas/policies'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTER_POLICIES, placeOfPolicy, PROPAGATION_POLICIES } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import { versionOf } from '../http/precondition'
import { type ApiDeps, scopeReading, scopeWith } from './api-deps'
import { missing } from './fleet-endpoints'
import { openLab, previewPlacement } from './placement-lab'
import { createPolicy, namespaceIn, policyIn, readDocument, tryPolicy, updatePolicy } from './policy-documents'

export function policyEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [listPolicies(deps), readPolicy(deps), ...documents(), ...lab(deps)]
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
      const body = policies.row(id, await scopeReading(call, PROPAGATION_POLICIES, CLUSTER_POLICIES))
      if (!body) throw missing('policy', id)
      return { body, version: versionOf(cache.policy(id)?.metadata) }
    },
  })
}

function documents(): AnyEndpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/v1/policies/{namespace}/{name}/document',
      kind: 'query',
      tag: 'api.tag.placement',
      summary: 'api.endpoint.policyDocument',
      response: policyDocumentSchema,
      perform: (call) => readDocument(call as EndpointCall),
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/policy-dry-runs',
      kind: 'query',
      tag: 'api.tag.placement',
      summary: 'api.endpoint.policyDryRun',
      description: 'api.endpoint.policyDryRun.description',
      body: policyBody,
      response: policyDocumentSchema,
      perform: tryPolicy,
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/policies',
      kind: 'action',
      tag: 'api.tag.placement',
      summary: 'api.action.createPolicy',
      event: 'CreatedByUser',
      body: policyBody,
      response: policyDocumentSchema,
      needs: ({ body }) => createPolicyNeeds(namespaceIn(body.manifest)),
      perform: createPolicy,
    }),
    endpoint({
      method: 'PUT',
      path: '/api/v1/policies/{namespace}/{name}',
      kind: 'action',
      tag: 'api.tag.placement',
      summary: 'api.action.updatePolicy',
      description: 'api.endpoint.updatePolicy.description',
      event: 'UpdatedByUser',
      body: policyBody,
      response: policyDocumentSchema,
      needs: (call) => savePolicyNeeds(policyIn(call)),
      perform: updatePolicy,
    }),
  ]
}

function lab(deps: ApiDeps): AnyEndpoint[] {
  const askedBy = async (call: EndpointCall) => ({
    client: call.principal.client,
    reader: deps.views.models.of(await scopeWith(call, BINDINGS, CLUSTER_BINDINGS)),
  })
  return [
    endpoint({
      method: 'POST',
      path: '/api/v1/placement-labs',
      kind: 'query',
      tag: 'api.tag.placement',
      summary: 'api.endpoint.lab',
      description: 'api.endpoint.lab.description',
      body: labBody,
      response: labSchema,
      perform: async (call) => openLab(deps, call.body, await askedBy(call as EndpointCall)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/placement-previews',
      kind: 'query',
      tag: 'api.tag.placement',
      summary: 'api.endpoint.placementPreview',
      description: 'api.endpoint.placementPreview.description',
      body: placementPreviewBody,
      response: placementPreviewSchema,
      perform: async (call) => previewPlacement(deps, call.body, await askedBy(call as EndpointCall)),
    }),
  ]
}
