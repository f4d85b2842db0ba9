/** Failovers in progress and completed, actions on them, and the journal. */
import { z } from 'zod'
import { askedAnswer, failoverActionBody, failoverOrder, journalQuery } from '@/lib/view/actions'
import {
  failoverEntrySchema,
  failoverPlanSchema,
  failoverSummarySchema,
  clusterBlockersSchema,
  journalEntrySchema,
  pastFailoverSchema,
} from '@/lib/view/schemas/failover'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import { type ApiDeps, scopeIn, scopeWith, userOf } from './api-deps'
import { runFailoverAction, planFailoverAction, rightsFor, blockersIn } from './failover'
import { missing } from './fleet-endpoints'
import type { Planner } from './plan-rebalance'
import { readJournal } from './read-journal'

const plannerOf = async (call: EndpointCall, deps: ApiDeps): Promise<Planner> => ({
  scope: await scopeIn(call),
  user: userOf(call, deps),
})

export function failoverEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [...failovers(deps), ...actions(deps), journal(deps)]
}

function failovers(deps: ApiDeps): AnyEndpoint[] {
  const { failovers } = deps.views
  const seen = (call: EndpointCall) => scopeWith(call, BINDINGS, CLUSTER_BINDINGS, CLUSTERS)
  return [
    endpoint({
      method: 'GET',
      path: '/api/v1/failovers',
      kind: 'query',
      tag: 'Failover',
      summary: 'List failovers and incidents in progress',
      query: z.strictObject(pageParameters),
      response: pageSchema(failoverEntrySchema),
      perform: async (call) => {
        const scope = await seen(call as EndpointCall)
        const ids = failovers.ids().filter((id) => failovers.entry(id, scope) !== undefined)
        return pageOf({ ids, row: (id) => failovers.entry(id, scope), query: call.query })
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/failovers/summary',
      kind: 'query',
      tag: 'Failover',
      summary: 'Count failovers by stage',
      response: failoverSummarySchema,
      perform: async (call) => failovers.summary(await seen(call as EndpointCall)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/failovers/history',
      kind: 'query',
      tag: 'Failover',
      summary: 'List failovers completed in the last 24 hours',
      query: z.strictObject(pageParameters),
      response: pageSchema(pastFailoverSchema),
      perform: async (call) => {
        const scope = await seen(call as EndpointCall)
        const ids = failovers.pastIds().filter((id) => failovers.past(id, scope) !== undefined)
        return pageOf({ ids, row: (id) => failovers.past(id, scope), query: call.query })
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/clusters/{cluster}/blockers',
      kind: 'query',
      tag: 'Failover',
      summary: 'List what blocks failovers from a cluster',
      response: clusterBlockersSchema,
      perform: async (call) => {
        const { cluster = '' } = call.params
        const scope = await scopeIn(call)
        if (!scope.sees(CLUSTERS)) throw missing(`cluster ${cluster}`)
        return blockersIn(deps, cluster, scope)
      },
    }),
  ]
}

function actions(deps: ApiDeps): AnyEndpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/v1/failover-previews',
      kind: 'query',
      tag: 'Failover',
      summary: 'Preview an action on a failover or cluster',
      description: 'Changes nothing. Returns the patch that would be written.',
      body: failoverOrder,
      response: failoverPlanSchema,
      perform: async (call) => planFailoverAction(deps, call.body, await plannerOf(call as EndpointCall, deps)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/failover-actions',
      kind: 'action',
      tag: 'Failover',
      summary: 'Evict, keep, release, drain or undrain',
      description: 'Requires the `base` of the preview. Returns 409 with a new preview if the object changed since.',
      event: 'FailoverByUser',
      body: failoverActionBody,
      response: askedAnswer,
      needs: ({ body, access }) => rightsFor(deps, body.order, access.scope),
      perform: async (call) => runFailoverAction(deps, call, await plannerOf(call as EndpointCall, deps)),
    }),
  ]
}

function journal(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/journal',
    kind: 'query',
    tag: 'Failover',
    summary: 'Read the journal of observed changes',
    description: 'Oldest first, streamed. Contains the workloads and clusters that you can view.',
    query: journalQuery,
    response: z.array(journalEntrySchema),
    perform: async (call) => readJournal(deps, call.query, await scopeWith(call, BINDINGS, CLUSTER_BINDINGS, CLUSTERS)),
  })
}
