/** Clusters, workloads and spreads, in the form of the live stream. */
import { message } from '@/lib/messages/message'
import { z } from 'zod'
import { described } from '@/lib/view/described'
import { clusterSchema, workloadDetailSchema, workloadSchema } from '@/lib/view/schemas/fleet'
import { spreadSchema } from '@/lib/view/schemas/spread'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { BINDINGS, CLUSTER_BINDINGS, CLUSTERS, seesWorkload, SPREADS } from '../access/resources'
import { type AnyEndpoint, endpoint } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import { versionOf } from '../http/precondition'
import { refuse, type Refusal } from '../http/refusal'
import { idOf } from '../cache/control-plane-cache'
import { type ApiDeps, scopeReading, scopeWith } from './api-deps'

const inNamespace = z.string().min(1).optional().meta(described('api.endpoint.inNamespace'))
const inCluster = z.string().min(1).optional().meta(described('api.endpoint.inCluster'))

export function fleetEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [
    listClusters(deps),
    readCluster(deps),
    listWorkloads(deps),
    readWorkload(deps),
    listSpreads(deps),
    readSpread(deps),
  ]
}

/**
 * Returns the refusal for objects that do not exist and for objects that the reader may not view, because the two must
 * look the same.
 */
export const missing = (kind: string, name: string): Refusal =>
  refuse(404, 'NotFound', message('api.refused.notFound', { kind, name }))

function listClusters({ views: { clusters } }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/clusters',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.clusters',
    query: z.strictObject(pageParameters),
    response: pageSchema(clusterSchema),
    perform: async (call) => {
      const scope = await scopeWith(call, CLUSTERS)
      return pageOf({ ids: clusters.ids(), row: (name) => clusters.row(name, scope), query: call.query })
    },
  })
}

function readCluster({ views: { clusters }, cache }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/clusters/{cluster}',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.cluster',
    response: clusterSchema,
    perform: async (call) => {
      const { cluster = '' } = call.params
      const body = clusters.row(cluster, await scopeReading(call, CLUSTERS))
      if (!body) throw missing('Cluster', cluster)
      return { body, version: versionOf(cache.clusters.get(cluster)?.metadata) }
    },
  })
}

function listWorkloads({ views: { workloads }, cache }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/workloads',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.workloads',
    query: z.strictObject({ ...pageParameters, namespace: inNamespace, cluster: inCluster }),
    response: pageSchema(workloadSchema),
    perform: async (call) => {
      const { namespace, cluster } = call.query
      const scope = await scopeWith(call, BINDINGS, CLUSTER_BINDINGS)
      const all = cluster === undefined ? workloads.ids() : cache.bindingsIn(cluster).map(idOf)
      const ids = all.filter(
        (id) => seesWorkload(scope, id) && (namespace === undefined || parseWorkloadId(id)?.namespace === namespace),
      )
      return pageOf({ ids, row: (id) => workloads.row(id, scope), query: call.query })
    },
  })
}

function readWorkload({ views: { details }, cache }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/workloads/{apiVersion}/{kind}/{namespace}/{name}',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.workload',
    description: 'api.endpoint.workload.description',
    response: workloadDetailSchema,
    perform: async (call) => {
      const { apiVersion, kind, namespace, name } = call.params
      const id = [apiVersion, kind, namespace, name].join('/')
      const scope = await scopeReading(call, BINDINGS, CLUSTER_BINDINGS)
      details.open()
      const body = details.page(id, scope)
      if (!body) throw missing('Workload', id)
      return { body, version: versionOf(cache.bindingOf(id)?.metadata) }
    },
  })
}

function listSpreads({ views: { spreads } }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/spreads',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.spreads',
    query: z.strictObject({ ...pageParameters, namespace: inNamespace }),
    response: pageSchema(spreadSchema),
    perform: async (call) => {
      const scope = await scopeWith(call, SPREADS)
      const ids = spreads.ids().filter((id) => {
        const [namespace = ''] = id.split('/')
        return scope.sees({ ...SPREADS, namespace }) && (call.query.namespace ?? namespace) === namespace
      })
      return pageOf({ ids, row: (id) => spreads.row(id, scope), query: call.query })
    },
  })
}

function readSpread({ views: { spreads }, cache }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/spreads/{namespace}/{name}',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.spread',
    response: spreadSchema,
    perform: async (call) => {
      const id = `${call.params.namespace}/${call.params.name}`
      const body = spreads.row(id, await scopeReading(call, SPREADS))
      if (!body) throw missing('WorkloadSpread', id)
      return { body, version: versionOf(cache.spreads.get(id)?.metadata) }
    },
  })
}
