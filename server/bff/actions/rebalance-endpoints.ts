/** Rebalancers and rebalance plans: the rows of the live stream, their previews, and the actions on them. */
import { z } from 'zod'
import {
  createPlanBody,
  createRebalancerBody,
  namedAnswer,
  planActionBody,
  planRebalanceBody,
  whatIfBody,
} from '@/lib/view/actions'
import { createPlanNeeds, createRebalancerNeeds, planActionNeeds } from '@/lib/view/needs'
import { planAccuraciesSchema } from '@/lib/view/schemas/failover'
import { lossesSchema, lossSchema } from '@/lib/view/schemas/losses'
import {
  failbackSchema,
  lossSurveySchema,
  planRunSchema,
  rebalanceLoadSchema,
  rebalancePlanSchema,
  rebalancerSchema,
  whatIfSchema,
} from '@/lib/view/schemas/rebalance'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS, PLANS, REBALANCERS } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import { versionOf } from '../http/precondition'
import { type ApiDeps, scopeIn, scopeReading, scopeWith, userOf } from './api-deps'
import { createRebalancer } from './create-rebalancer'
import { missing } from './fleet-endpoints'
import { LossSurvey } from './loss-survey'
import { loadOfPlan, type Planner, previewRebalance } from './plan-rebalance'
import { actOnPlan, createPlan } from './rebalance-plans'
import { suggestFailbacks, whatIfWithout } from './what-if'

export function rebalanceEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [...rebalancers(deps), ...plans(deps), ...questions(deps)]
}

const plannerOf = async (call: EndpointCall, deps: ApiDeps): Promise<Planner> => ({
  scope: await scopeIn(call),
  user: userOf(call, deps),
})

function rebalancers(deps: ApiDeps): AnyEndpoint[] {
  const {
    views: { rebalancers: rows },
    cache,
  } = deps
  return [
    endpoint({
      method: 'GET',
      path: '/api/v1/rebalancers',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.rebalancers',
      query: z.strictObject(pageParameters),
      response: pageSchema(rebalancerSchema),
      perform: async (call) => {
        const scope = await scopeWith(call, REBALANCERS)
        return pageOf({ ids: rows.ids(), row: (name) => rows.page(name, scope), query: call.query })
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/rebalancers/{rebalancer}',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.rebalancer',
      response: rebalancerSchema,
      perform: async (call) => {
        const { rebalancer: name = '' } = call.params
        const body = rows.page(name, await scopeReading(call, REBALANCERS))
        if (!body) throw missing('WorkloadRebalancer', name)
        return { body, version: versionOf(cache.rebalancers.get(name)?.metadata) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/rebalancers',
      kind: 'action',
      tag: 'api.tag.rebalance',
      summary: 'api.action.rebalanceAtOnce',
      event: 'RebalancedByUser',
      namesByKey: true,
      description: 'api.endpoint.rebalanceAtOnce.description',
      body: createRebalancerBody,
      response: namedAnswer,
      needs: createRebalancerNeeds,
      perform: async (call) => ({
        body: await createRebalancer(deps, call, await plannerOf(call as EndpointCall, deps)),
        status: 201,
      }),
    }),
  ]
}

function plans(deps: ApiDeps): AnyEndpoint[] {
  const {
    views: { plans: rows },
    cache,
  } = deps
  return [
    endpoint({
      method: 'GET',
      path: '/api/v1/rebalance-plans',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.plans',
      query: z.strictObject(pageParameters),
      response: pageSchema(planRunSchema),
      perform: async (call) => {
        const scope = await scopeWith(call, PLANS)
        return pageOf({ ids: rows.ids(), row: (name) => rows.page(name, scope), query: call.query })
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/prediction-accuracy',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.predictionAccuracy',
      response: planAccuraciesSchema,
      perform: async (call) => {
        await scopeWith(call, PLANS)
        return [...deps.journal.accuracies]
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/rebalance-plans/{plan}',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.plan',
      response: planRunSchema,
      perform: async (call) => {
        const { plan: name = '' } = call.params
        const body = rows.page(name, await scopeReading(call, PLANS))
        if (!body) throw missing('RebalancePlan', name)
        return { body, version: versionOf(cache.plans.get(name)?.metadata) }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/rebalance-plans/{plan}/load',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.planLoad',
      description: 'api.endpoint.planLoad.description',
      response: rebalanceLoadSchema,
      perform: async (call) => {
        const { plan: name = '' } = call.params
        const scope = await scopeWith(call, CLUSTERS)
        const plan = rows.page(name, scope)
        if (!plan) throw missing('RebalancePlan', name)
        return loadOfPlan(deps, plan, scope)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/rebalance-plans',
      kind: 'action',
      tag: 'api.tag.rebalance',
      summary: 'api.action.rebalanceInWaves',
      event: 'PlannedByUser',
      namesByKey: true,
      description: 'api.endpoint.rebalanceInWaves.description',
      body: createPlanBody,
      response: namedAnswer,
      needs: createPlanNeeds,
      perform: async (call) => ({
        body: await createPlan(deps, call, await plannerOf(call as EndpointCall, deps)),
        status: 201,
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/rebalance-plans/{plan}/actions',
      kind: 'action',
      tag: 'api.tag.rebalance',
      summary: 'api.action.changePlan',
      event: 'SteeredByUser',
      body: planActionBody,
      response: namedAnswer,
      needs: ({ body: { action }, params: { plan: name = '' } }) => planActionNeeds(name, action),
      perform: actOnPlan,
    }),
  ]
}

function questions(deps: ApiDeps): AnyEndpoint[] {
  const survey = new LossSurvey(deps)
  return [
    endpoint({
      method: 'POST',
      path: '/api/v1/rebalance-previews',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.rebalancePreview',
      description: 'api.endpoint.rebalancePreview.description',
      body: planRebalanceBody,
      response: rebalancePlanSchema,
      perform: async (call) => {
        await scopeWith(call, BINDINGS, CLUSTER_BINDINGS)
        return previewRebalance(deps, call.body, await plannerOf(call as EndpointCall, deps))
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/what-ifs',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.whatIf',
      description: 'api.endpoint.whatIf.description',
      body: whatIfBody,
      response: whatIfSchema,
      perform: async (call) => whatIfWithout(deps, call.body, await scopeWith(call, CLUSTERS)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/what-ifs/survey',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.lossSurvey',
      description: 'api.endpoint.lossSurvey.description',
      response: lossSurveySchema,
      query: z.strictObject({ start: z.literal('1').optional() }),
      perform: async (call) => survey.view(await scopeWith(call, CLUSTERS), call.query.start !== undefined),
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/what-ifs/losses',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.losses',
      description: 'api.endpoint.losses.description',
      response: lossesSchema,
      query: z.strictObject({ compute: z.enum(['start', 'pairs']).optional() }),
      perform: async (call) => survey.losses(await scopeWith(call, CLUSTERS), call.query.compute),
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/what-ifs/losses/{clusters}',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.loss',
      description: 'api.endpoint.loss.description',
      response: lossSchema,
      perform: async (call) => survey.loss(await scopeWith(call, CLUSTERS), (call.params.clusters ?? '').split(',')),
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/failbacks',
      kind: 'query',
      tag: 'api.tag.rebalance',
      summary: 'api.endpoint.failbacks',
      response: z.array(failbackSchema),
      perform: async (call) => suggestFailbacks(deps, await scopeWith(call, CLUSTERS)),
    }),
  ]
}
