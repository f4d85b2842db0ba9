/**
 * Queues and suspended bindings: as the live stream shows them, what a pause would do, and what may be asked of them.
 */
import { z } from 'zod'
import {
  createQueueOrder, holdOrder, holdPreviewSchema, orderedSchema, priorityOrder, queueDetailSchema, queueSchema,
  releaseOrder, resumeOrder, resumePreviewSchema, suspendOrder, updateQueueOrder,
} from '@/lib/view/schemas/queues'
import { parseWorkloadId } from '@/lib/view/workload-id'
import type { Question } from '../access/access'
import { BINDINGS, QUEUES } from '../access/resources'
import { type AnyEndpoint, endpoint, type EndpointCall } from '../http/endpoint'
import { pageOf, pageParameters, pageSchema } from '../http/pagination'
import {
  createQueueNeeds, deleteQueueNeeds, editQueueNeeds, holdQueueNeeds, reorderNeeds, steerBindingNeeds,
} from '@/lib/view/needs'
import { versionOf } from '../http/precondition'
import { type ApiDeps, scopeIn, scopeWith } from './api-deps'
import { missing } from './fleet-endpoints'
import { changePriority, releaseWorkload, resumeBinding, suspendBinding } from './queued-workload-actions'
import { createQueue, deleteQueue, holdQueue, refIn, resumeQueue, updateQueue } from './queue-actions'
import { previewHold, previewResume } from './queue-previews'

const PATH = '/api/v1/queues/{namespace}/{name}'
const tag = 'Queues'

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
      method: 'GET', path: '/api/v1/queues', kind: 'query', tag, summary: 'List the queues',
      query: z.strictObject({
        ...pageParameters,
        namespace: z.string().min(1).optional().meta({ description: 'Only those in this namespace.' }),
      }),
      response: pageSchema(queueSchema),
      perform: async (call) => {
        const scope = await scopeWith(call, QUEUES)
        const ids = queues.ids().filter((id) => {
          const place = queues.placeOf(id)
          return place !== undefined && scope.sees(place)
            && (call.query.namespace ?? place.namespace) === place.namespace
        })
        return pageOf({ ids, row: (id) => queues.row(id, scope), query: call.query })
      },
    }),
    endpoint({
      method: 'GET', path: PATH, kind: 'query', tag,
      summary: 'Read one queue with its line and the reason of every wait',
      description: 'The ETag is `g` and the generation: it moves when somebody changes the queue, and not with every '
        + 'count.',
      response: queueDetailSchema,
      perform: async (call) => {
        const { namespace, name } = refIn(call)
        const id = `${namespace}/${name}`
        const body = queues.page(id, await scopeIn(call))
        if (!body) throw missing(`queue ${id}`)
        return { body, version: versionOf(cache.queues.get(id)?.metadata) }
      },
    }),
  ]
}

function previews({ views: { queues, queuePlans } }: ApiDeps): AnyEndpoint[] {
  const seen = async (call: EndpointCall<never, never>) => {
    const { namespace, name } = refIn(call)
    const scope = await scopeIn(call)
    const plan = queues.row(`${namespace}/${name}`, scope) && queuePlans.queue(`${namespace}/${name}`)
    if (!plan) throw missing(`queue ${namespace}/${name}`)
    return { plan, sees: (each: string) => scope.sees({ ...BINDINGS, namespace: each }) }
  }
  return [
    endpoint({
      method: 'GET', path: `${PATH}/hold-preview`, kind: 'query', tag, summary: 'Ask what a pause would hold back',
      response: holdPreviewSchema,
      perform: async (call) => {
        const { plan, sees } = await seen(call as EndpointCall<never, never>)
        return previewHold(plan, sees)
      },
    }),
    endpoint({
      method: 'GET', path: `${PATH}/resume-preview`, kind: 'query', tag,
      summary: 'Ask in which order, and in which stages, a resume would release what waits',
      query: z.strictObject({ step: z.coerce.number().int().min(1).optional() }), response: resumePreviewSchema,
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
      method: 'POST', path: '/api/v1/queues', kind: 'action', tag, summary: 'Create a queue',
      event: 'QueueCreatedByUser', body: createQueueOrder, response: orderedSchema,
      needs: ({ body: { namespace, spec } }) => createQueueNeeds([namespace, ...(spec.namespaces ?? [])]),
      perform: createQueue,
    }),
    endpoint({
      method: 'PUT', path: PATH, kind: 'action', tag, summary: 'Change the settings of a queue',
      event: 'QueueChangedByUser',
      description: 'The settings as a whole; the hold has its own orders and stays. Refused with 412 when somebody '
        + 'changed the queue since If-Match.',
      body: updateQueueOrder, response: orderedSchema,
      needs: (call) => editQueueNeeds(refIn(call), call.body.spec.namespaces),
      perform: updateQueue,
    }),
    endpoint({
      method: 'DELETE', path: PATH, kind: 'action', tag, summary: 'Delete a queue', event: 'QueueDeletedByUser',
      description: 'What waits is released first, or stays suspended, as `onDelete` says.', response: orderedSchema,
      needs: (call) => deleteQueueNeeds(refIn(call)), perform: deleteQueue,
    }),
  ]
}

function orders(deps: ApiDeps): AnyEndpoint[] {
  return [
    endpoint({
      method: 'POST', path: `${PATH}/hold`, kind: 'action', tag, summary: 'Pause a queue, or change its pause',
      event: 'QueueHeldByUser',
      body: holdOrder, response: orderedSchema, needs: mayHold, perform: (call) => holdQueue(deps, call as never),
    }),
    endpoint({
      method: 'POST', path: `${PATH}/resume`, kind: 'action', tag,
      summary: 'End the pause of a queue, at once or in stages', event: 'QueueResumedByUser',
      body: resumeOrder, response: orderedSchema, needs: mayHold, perform: (call) => resumeQueue(deps, call),
    }),
    endpoint({
      method: 'POST', path: `${PATH}/release`, kind: 'action', tag, summary: 'Release one workload next',
      event: 'ReleaseRequestedByUser',
      body: releaseOrder, response: orderedSchema, needs: mayReorder,
      perform: (call) => releaseWorkload(deps, call),
    }),
    endpoint({
      method: 'POST', path: `${PATH}/priority`, kind: 'action', tag,
      summary: 'Put a waiting workload into another priority class', event: 'ReorderedByUser',
      body: priorityOrder, response: orderedSchema, needs: mayReorder,
      perform: (call) => changePriority(deps, call),
    }),
  ]
}

function bindingOrders(deps: ApiDeps): AnyEndpoint[] {
  const needs = (call: Call): Question[] => steerBindingNeeds(refIn(call).namespace, refIn(call).name)
  return [
    endpoint({
      method: 'POST', path: '/api/v1/bindings/{namespace}/{name}/suspend', kind: 'action', tag,
      summary: 'Suspend the scheduling of one binding', event: 'SuspendedByUser',
      body: suspendOrder, response: orderedSchema, needs, perform: (call) => suspendBinding(deps, call),
    }),
    endpoint({
      method: 'POST', path: '/api/v1/bindings/{namespace}/{name}/resume', kind: 'action', tag,
      summary: 'Resume a binding that was suspended by hand', event: 'ResumedByUser',
      body: z.strictObject({}), response: orderedSchema, needs, perform: (call) => resumeBinding(deps, call),
    }),
  ]
}
