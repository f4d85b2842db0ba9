/** Pods, nodes, logs and events of member clusters, read as the user. */
import { z } from 'zod'
import { isNotFound } from '@/lib/kube/errors'
import { event as eventKind, node as nodeKind, pod as podKind, type Pod } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import type { LabelSelectorLike } from '@/lib/kube/selector'
import { message } from '@/lib/messages/message'
import { described } from '@/lib/view/described'
import type { MemberNodesView, MemberWorkloadView, PodDetailView } from '@/lib/view/member-model'
import { toConditionView } from '@/lib/view/project/binding-facts'
import { selectorTexts } from '@/lib/view/project/placement'
import { oldestFirst, projectNode, projectPod } from '@/lib/view/project/pods'
import { memberNodesSchema, memberWorkloadSchema, podDetailSchema } from '@/lib/view/schemas/members'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { resourcePath } from '@/server/kube/paths'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { refuse } from '../http/refusal'
import type { ApiDeps } from './api-deps'
import { kindOf, listInMember, type MemberReader, memberReader, readInMember } from './member-reads'
import { eventsOf, eventsQuery } from './object-events'
import { podLogEndpoint } from './pod-log'

/** Pods of one workload in one cluster; a simulated member has at most twice as many. */
const MAX_PODS = 500
/** Nodes on the tiles of one cluster. */
const MAX_NODES = 2000
const MAX_PODS_OF_CLUSTER = 5000

export function memberEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [listPods(deps), readPod(deps), listNodes(deps), podLogEndpoint(deps)]
}

const readerOf = (deps: ApiDeps, call: Pick<EndpointCall, 'principal' | 'params'>): MemberReader =>
  memberReader(call, deps.clock, call.params.cluster ?? '')

function listPods(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/clusters/{cluster}/pods',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.pods',
    description: 'api.endpoint.pods.description',
    query: z.strictObject({ workload: z.string().min(1).meta(described('api.endpoint.pods.workload')) }),
    response: memberWorkloadSchema,
    perform: async (call) => workloadIn(readerOf(deps, call as EndpointCall), call.query.workload),
  })
}

interface InMember extends UnknownObject {
  spec?: { replicas?: number; selector?: LabelSelectorLike }
  status?: { readyReplicas?: number; updatedReplicas?: number; observedGeneration?: number }
}

async function workloadIn(reader: MemberReader, id: string): Promise<MemberWorkloadView> {
  const ref = parseWorkloadId(id)
  if (!ref) throw refuse(400, 'Invalid', message('api.refused.badWorkload', { id }))
  const kind = await kindOf(reader.client, ref)
  const { cluster } = reader
  const at = { name: ref.name, ...(ref.namespace !== undefined && { namespace: ref.namespace }) }
  let object: InMember
  try {
    object = await readInMember<InMember>(reader, resourcePath(kind, at))
  } catch (error) {
    if (isNotFound(error)) return { cluster, pods: [], total: 0 }
    throw error
  }
  const selector = object.spec?.selector
  const labelSelector = selector && ref.namespace !== undefined ? selectorTexts(selector).join(',') : ''
  const { items, total } =
    labelSelector === ''
      ? { items: [], total: 0 }
      : await listInMember(reader, podKind, { namespace: ref.namespace, labelSelector, limit: MAX_PODS })
  return { cluster, object: factsOf(object), pods: oldestFirst(items).map(projectPod), total }
}

function factsOf({ metadata, spec, status }: InMember): NonNullable<MemberWorkloadView['object']> {
  return {
    replicas: spec?.replicas,
    ready: status?.readyReplicas,
    updated: status?.updatedReplicas,
    generation: metadata.generation,
    observedGeneration: status?.observedGeneration,
    createdAt: metadata.creationTimestamp,
    deleting: metadata.deletionTimestamp !== undefined,
  }
}

function readPod(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/clusters/{cluster}/pods/{namespace}/{pod}',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.pod',
    response: podDetailSchema,
    perform: async (call): Promise<PodDetailView> => {
      const { namespace = '', pod: name = '' } = call.params
      const reader = readerOf(deps, call)
      const pod = await readInMember<Pod>(reader, resourcePath(podKind as never, { namespace, name }))
      const listed = listInMember(reader, eventKind, eventsQuery(pod))
      return {
        pod: projectPod(pod),
        conditions: (pod.status?.conditions ?? []).map(toConditionView),
        ...(await eventsOf(listed.then(({ items }) => items))),
        object: pod,
      }
    },
  })
}

function listNodes(deps: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/clusters/{cluster}/nodes',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.nodes',
    description: 'api.endpoint.nodes.description',
    response: memberNodesSchema,
    perform: async (call): Promise<MemberNodesView> => {
      const reader = readerOf(deps, call)
      const [nodes, pods, usage] = await Promise.all([
        listInMember(reader, nodeKind, { limit: MAX_NODES }),
        listInMember(reader, podKind, { limit: MAX_PODS_OF_CLUSTER }),
        usageOf(reader),
      ])
      const byNode = Map.groupBy(pods.items, ({ spec }) => spec.nodeName ?? '')
      return {
        nodes: nodes.items.map((node) =>
          projectNode(node, byNode.get(node.metadata.name) ?? [], usage?.get(node.metadata.name)),
        ),
        totals: { nodes: nodes.total, pods: pods.total },
        pending: byNode.get('')?.length ?? 0,
        metrics: usage !== undefined,
      }
    },
  })
}

interface NodeMetrics {
  items?: { metadata: { name: string }; usage?: Record<string, unknown> }[]
}

/** Returns the usage by node; undefined without a metrics API that the user may read. */
async function usageOf(reader: MemberReader): Promise<Map<string, Record<string, unknown>> | undefined> {
  const { status, body } = await reader.client.raw('GET', '/apis/metrics.k8s.io/v1beta1/nodes')
  if (status !== 200) return undefined
  return new Map(((body as NodeMetrics).items ?? []).map(({ metadata, usage = {} }) => [metadata.name, usage]))
}
