/** Rebalancers and rebalance plans: as the live stream shows them, their previews, and what may be done to them. */
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
import {
  failbackSchema,
  planRunSchema,
  rebalancePlanSchema,
  rebalancerSchema,
  whatIfSchema,
} from '@/lib/view/schemas/rebalance'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS, PLANS, REBALANCERS } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import { versionOf } from '../http/precondition'
import { type ApiDeps, scopeIn, scopeWith, userOf } from './api-deps'
import { createRebalancer } from './create-rebalancer'
import { missing } from './fleet-endpoints'
import { type Planner, previewRebalance } from './plan-rebalance'
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
      tag: 'Rebalance',
      summary: 'List WorkloadRebalancers with their progress',
      query: z.strictObject(pageParameters),
      response: pageSchema(rebalancerSchema),
      perform: async (call) => {
        const scope = await scopeWith(call, REBALANCERS)
        return pageOf({ ids: rows.ids(), row: (name) => rows.row(name, scope), query: call.query })
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/rebalancers/{rebalancer}',
      kind: 'query',
      tag: 'Rebalance',
      summary: 'Read one WorkloadRebalancer',
      response: rebalancerSchema,
      perform: async (call) => {
        const { rebalancer: name = '' } = call.params
        const body = rows.row(name, await scopeIn(call))
        if (!body) throw missing(`rebalancer ${name}`)
        return { body, version: versionOf(cache.rebalancers.get(name)?.metadata) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/rebalancers',
      kind: 'action',
      tag: 'Rebalance',
      summary: 'Rebalance workloads at once',
      event: 'RebalancedByUser',
      namesByKey: true,
      description: 'Takes the `base` of the preview. When the fleet changed since, it is refused with a new preview.',
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
      tag: 'Rebalance',
      summary: 'List RebalancePlans with their progress',
      query: z.strictObject(pageParameters),
      response: pageSchema(planRunSchema),
      perform: async (call) => {
        const scope = await scopeWith(call, PLANS)
        return pageOf({ ids: rows.ids(), row: (name) => rows.row(name, scope), query: call.query })
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/rebalance-plans/{plan}',
      kind: 'query',
      tag: 'Rebalance',
      summary: 'Read one RebalancePlan',
      response: planRunSchema,
      perform: async (call) => {
        const { plan: name = '' } = call.params
        const body = rows.row(name, await scopeIn(call))
        if (!body) throw missing(`rebalance plan ${name}`)
        return { body, version: versionOf(cache.plans.get(name)?.metadata) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/rebalance-plans',
      kind: 'action',
      tag: 'Rebalance',
      summary: 'Rebalance workloads in waves',
      event: 'PlannedByUser',
      namesByKey: true,
      description:
        'With `targets` and the `base` of their preview the plan runs at once. With a selection, or as the undo of another '
        + 'plan, it shows its preview and waits for approval.',
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
      tag: 'Rebalance',
      summary: 'Approve, pause, resume, stop, continue or delete a RebalancePlan',
      event: 'SteeredByUser',
      body: planActionBody,
      response: namedAnswer,
      needs: ({ body: { action }, params: { plan: name = '' } }) => planActionNeeds(name, action),
      perform: actOnPlan,
    }),
  ]
}

function questions(deps: ApiDeps): AnyEndpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/v1/rebalance-previews',
      kind: 'query',
      tag: 'Rebalance',
      summary: 'Preview a rebalance',
      description: 'Computed by the scheduling code on a copy of the fleet. Changes nothing.',
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
      tag: 'Rebalance',
      summary: 'Simulate the failure or drain of a cluster',
      description:
        'Computed by the scheduling and failover code on a copy of the fleet. Lists the workloads that you may view.',
      body: whatIfBody,
      response: whatIfSchema,
      perform: async (call) => whatIfWithout(deps, call.body, await scopeWith(call, CLUSTERS)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/failbacks',
      kind: 'query',
      tag: 'Rebalance',
      summary: 'List workloads that could return to recovered clusters',
      response: z.array(failbackSchema),
      perform: async (call) => suggestFailbacks(deps, await scopeWith(call, CLUSTERS)),
    }),
  ]
}
