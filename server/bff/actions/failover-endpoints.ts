/** Failovers in progress and completed, actions on them, and the journal. */
import { z } from 'zod'
import { askedAnswer, failoverActionBody, failoverOrder, journalQuery, recordQuery } from '@/lib/view/actions'
import {
  failoverEntrySchema,
  failoverPlanSchema,
  failoverSummarySchema,
  clusterBlockersSchema,
  incidentRecordSchema,
  journalEntrySchema,
  pastFailoverSchema,
  readyHistorySchema,
} from '@/lib/view/schemas/failover'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import { type ApiDeps, scopeIn, scopeWith, userOf } from './api-deps'
import { runFailoverAction, planFailoverAction, rightsFor, blockersIn } from './failover'
import { missing } from './fleet-endpoints'
import type { Planner } from './plan-rebalance'
import { readIncident } from './incident-record'
import { readJournal } from './read-journal'
import { ReadyHistory } from './ready-history'

const plannerOf = async (call: EndpointCall, deps: ApiDeps): Promise<Planner> => ({
  scope: await scopeIn(call),
  user: userOf(call, deps),
})

export function failoverEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [...failovers(deps), ...actions(deps), journal(deps), record(deps), history(deps)]
}

function failovers(deps: ApiDeps): AnyEndpoint[] {
  const { failovers } = deps.views
  const seen = (call: EndpointCall) => scopeWith(call, BINDINGS, CLUSTER_BINDINGS, CLUSTERS)
  return [
    endpoint({
      method: 'GET',
      path: '/api/v1/failovers',
      kind: 'query',
      tag: 'api.tag.failover',
      summary: 'api.endpoint.failovers',
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
      tag: 'api.tag.failover',
      summary: 'api.endpoint.failoverSummary',
      response: failoverSummarySchema,
      perform: async (call) => failovers.summary(await seen(call as EndpointCall)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/v1/failovers/history',
      kind: 'query',
      tag: 'api.tag.failover',
      summary: 'api.endpoint.failoverHistory',
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
      tag: 'api.tag.failover',
      summary: 'api.endpoint.blockers',
      response: clusterBlockersSchema,
      perform: async (call) => {
        const { cluster = '' } = call.params
        const scope = await scopeIn(call)
        if (!scope.sees(CLUSTERS)) throw missing('Cluster', cluster)
        return blockersIn(deps, cluster, { scope })
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
      tag: 'api.tag.failover',
      summary: 'api.endpoint.failoverPreview',
      description: 'api.endpoint.failoverPreview.description',
      body: failoverOrder,
      response: failoverPlanSchema,
      perform: async (call) => planFailoverAction(deps, call.body, await plannerOf(call as EndpointCall, deps)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/failover-actions',
      kind: 'action',
      tag: 'api.tag.failover',
      summary: 'api.action.failover',
      description: 'api.endpoint.failoverAction.description',
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
    tag: 'api.tag.failover',
    summary: 'api.endpoint.journal',
    description: 'api.endpoint.journal.description',
    query: journalQuery,
    response: z.array(journalEntrySchema),
    perform: async (call) => readJournal(deps, call.query, await scopeWith(call, BINDINGS, CLUSTER_BINDINGS, CLUSTERS)),
  })
}

function record(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/failovers/record',
    kind: 'query',
    tag: 'api.tag.failover',
    summary: 'api.endpoint.record',
    description: 'api.endpoint.record.description',
    query: recordQuery,
    response: incidentRecordSchema,
    perform: async (call) => readIncident(deps, call.query, await scopeIn(call)),
  })
}

function history(deps: ApiDeps) {
  const days = new ReadyHistory(deps)
  return endpoint({
    method: 'GET',
    path: '/api/v1/failovers/ready-history',
    kind: 'query',
    tag: 'api.tag.failover',
    summary: 'api.endpoint.readyHistory',
    description: 'api.endpoint.readyHistory.description',
    response: readyHistorySchema,
    perform: async (call) => days.view(await scopeWith(call, BINDINGS, CLUSTER_BINDINGS)),
  })
}
