/**
 * Endpoints of queues and suspended bindings: the views of the live stream, previews and actions.
 */
import { z } from 'zod'
import { described } from '@/lib/view/described'
import {
  createQueueOrder,
  holdOrder,
  holdPreviewSchema,
  orderedSchema,
  priorityOrder,
  queueDetailSchema,
  queueSchema,
  releaseOrder,
  resumeOrder,
  resumePreviewSchema,
  suspendOrder,
  updateQueueOrder,
} from '@/lib/view/schemas/queues'
import { parseWorkloadId } from '@/lib/view/workload-id'
import type { Question } from '../access/access'
import { BINDINGS, placeOfQueue, QUEUES } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import {
  createQueueNeeds,
  deleteQueueNeeds,
  editQueueNeeds,
  holdQueueNeeds,
  reorderNeeds,
  steerBindingNeeds,
} from '@/lib/view/needs'
import { versionOf } from '../http/precondition'
import { type ApiDeps, scopeReading, scopeWith } from './api-deps'
import { missing } from './fleet-endpoints'
import { changePriority, releaseWorkload, resumeBinding, suspendBinding } from './queued-workload-actions'
import { createQueue, deleteQueue, holdQueue, refIn, resumeQueue, updateQueue } from './queue-actions'
import { previewHold, previewResume } from './queue-previews'

const PATH = '/api/v1/queues/{namespace}/{name}'
const tag = 'api.tag.queues'

export function queueEndpoints(deps: ApiDeps): AnyEndpoint[] {
  return [...reads(deps), ...previews(deps), ...settings(), ...orders(deps), ...bindingOrders(deps)]
}

type Call = Pick<EndpointCall<never>, 'params'>
const mayHold = (call: Call): Question[] => holdQueueNeeds(refIn(call))

/** A workload is changed through its binding, which is in the namespace of the workload. */
const mayReorder = (call: Call & { body: { workload: string } }): Question[] =>
  reorderNeeds(refIn(call), parseWorkloadId(call.body.workload)?.namespace)

function reads({ views: { queues }, cache }: ApiDeps): AnyEndpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/v1/queues',
      kind: 'query',
      tag,
      summary: 'queues.api.list',
      query: z.strictObject({
        ...pageParameters,
        namespace: z.string().min(1).optional().meta(described('queues.api.listNamespace')),
      }),
      response: pageSchema(queueSchema),
      perform: async (call) => {
        const scope = await scopeWith(call, QUEUES)
        const ids = queues.ids().filter((id) => {
          const place = placeOfQueue(id)
          return (
            place !== undefined && scope.sees(place) && (call.query.namespace ?? place.namespace) === place.namespace
          )
        })
        return pageOf({ ids, row: (id) => queues.row(id, scope), query: call.query })
      },
    }),
    endpoint({
      method: 'GET',
      path: PATH,
      kind: 'query',
      tag,
      summary: 'queues.api.get',
      description: 'queues.api.getDescription',
      response: queueDetailSchema,
      perform: async (call) => {
        const { namespace, name } = refIn(call)
        const id = `${namespace}/${name}`
        const body = queues.page(id, await scopeReading(call, QUEUES))
        if (!body) throw missing('Queue', id)
        return { body, version: versionOf(cache.queues.get(id)?.metadata) }
      },
    }),
  ]
}

function previews({ views: { queues, queuePlans } }: ApiDeps): AnyEndpoint[] {
  const seen = async (call: EndpointCall<never, never>) => {
    const { namespace, name } = refIn(call)
    const scope = await scopeReading(call, QUEUES)
    const plan = queues.row(`${namespace}/${name}`, scope) && queuePlans.queue(`${namespace}/${name}`)
    if (!plan) throw missing('Queue', `${namespace}/${name}`)
    return { plan, sees: (each: string) => scope.sees({ ...BINDINGS, namespace: each }) }
  }
  return [
    endpoint({
      method: 'GET',
      path: `${PATH}/hold-preview`,
      kind: 'query',
      tag,
      summary: 'queues.api.holdPreview',
      response: holdPreviewSchema,
      perform: async (call) => {
        const { plan, sees } = await seen(call as EndpointCall<never, never>)
        return previewHold(plan, sees)
      },
    }),
    endpoint({
      method: 'GET',
      path: `${PATH}/resume-preview`,
      kind: 'query',
      tag,
      summary: 'queues.api.resumePreview',
      query: z.strictObject({ step: z.coerce.number().int().min(1).optional() }),
      response: resumePreviewSchema,
      perform: async (call) => {
        const { plan, sees } = await seen(call as unknown as EndpointCall<never, never>)
        return previewResume(queuePlans.withoutHold(plan.queue.key) ?? plan, sees, call.query.step)
      },
    }),
  ]
}

function settings(): AnyEndpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/v1/queues',
      kind: 'action',
      tag,
      summary: 'queues.api.create',
      event: 'QueueCreatedByUser',
      body: createQueueOrder,
      response: orderedSchema,
      needs: ({ body: { namespace, spec } }) => createQueueNeeds([namespace, ...(spec.namespaces ?? [])]),
      perform: createQueue,
    }),
    endpoint({
      method: 'PUT',
      path: PATH,
      kind: 'action',
      tag,
      summary: 'queues.api.update',
      event: 'QueueChangedByUser',
      description: 'queues.api.updateDescription',
      body: updateQueueOrder,
      response: orderedSchema,
      needs: (call) => editQueueNeeds(refIn(call), call.body.spec.namespaces),
      perform: updateQueue,
    }),
    endpoint({
      method: 'DELETE',
      path: PATH,
      kind: 'action',
      tag,
      summary: 'queues.api.delete',
      event: 'QueueDeletedByUser',
      description: 'queues.api.deleteDescription',
      response: orderedSchema,
      needs: (call) => deleteQueueNeeds(refIn(call)),
      perform: deleteQueue,
    }),
  ]
}

function orders(deps: ApiDeps): AnyEndpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: `${PATH}/hold`,
      kind: 'action',
      tag,
      summary: 'queues.api.hold',
      event: 'QueueHeldByUser',
      body: holdOrder,
      response: orderedSchema,
      needs: mayHold,
      perform: (call) => holdQueue(deps, call as never),
    }),
    endpoint({
      method: 'POST',
      path: `${PATH}/resume`,
      kind: 'action',
      tag,
      summary: 'queues.api.resume',
      event: 'QueueResumedByUser',
      body: resumeOrder,
      response: orderedSchema,
      needs: mayHold,
      perform: (call) => resumeQueue(deps, call),
    }),
    endpoint({
      method: 'POST',
      path: `${PATH}/release`,
      kind: 'action',
      tag,
      summary: 'queues.api.release',
      event: 'ReleaseRequestedByUser',
      body: releaseOrder,
      response: orderedSchema,
      needs: mayReorder,
      perform: (call) => releaseWorkload(deps, call),
    }),
    endpoint({
      method: 'POST',
      path: `${PATH}/priority`,
      kind: 'action',
      tag,
      summary: 'queues.api.priority',
      event: 'ReorderedByUser',
      body: priorityOrder,
      response: orderedSchema,
      needs: mayReorder,
      perform: (call) => changePriority(deps, call),
    }),
  ]
}

function bindingOrders(deps: ApiDeps): AnyEndpoint[] {
  const needs = (call: Call): Question[] => steerBindingNeeds(refIn(call).namespace, refIn(call).name)
  return [
    endpoint({
      method: 'POST',
      path: '/api/v1/bindings/{namespace}/{name}/suspend',
      kind: 'action',
      tag,
      summary: 'queues.api.suspend',
      event: 'SuspendedByUser',
      body: suspendOrder,
      response: orderedSchema,
      needs,
      perform: (call) => suspendBinding(deps, call),
    }),
    endpoint({
      method: 'POST',
      path: '/api/v1/bindings/{namespace}/{name}/resume',
      kind: 'action',
      tag,
      summary: 'queues.api.unsuspend',
      event: 'ResumedByUser',
      body: z.strictObject({}),
      response: orderedSchema,
      needs,
      perform: (call) => resumeBinding(deps, call),
    }),
  ]
}
