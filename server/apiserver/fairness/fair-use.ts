/** Fair queueing of requests, and the limit of watches per user. */
import { type Answer, type Call, isStream, type Stream } from '../call'
import { type FlowSchema, flowSchemaOf } from './flow-schemas'
import { type Flow, MAX_WATCHES, tooMany, FairQueue, type FairQueueOptions } from './fair-queue'

type Handle = (call: Call) => Promise<Answer>

/** Levels of administrators, components of the system and probes. */
const EXEMPT_LEVELS = new Set<FlowSchema['priorityLevel']>(['exempt', 'node-high', 'workload-high'])

/** The handler with fair queueing of tenants. Administrators, system components and probes are exempt. */
export function fairly(handle: Handle, options?: FairQueueOptions): Handle {
  const queue = new FairQueue(options)
  const watches = new Map<string, number>()
  return async (call) => {
    if (EXEMPT_LEVELS.has(flowSchemaOf(call).priorityLevel)) return handle(call)
    const flow = flowOf(call)
    const answer = await queue.run(flow, () => handle(call))
    return isStream(answer) ? counted(watches, flow.user, answer) : answer
  }
}

/** Of the authenticated user: impersonation does not give another queue. */
function flowOf({ caller, path }: Call): Flow {
  return { user: caller.user, namespace: /\/namespaces\/([^/]+)/.exec(path)?.[1] ?? '' }
}

/** A watch is queued when it begins, and counts for its user as long as it lasts. Throws 429 at the limit. */
function counted(watches: Map<string, number>, user: string, stream: Stream): Stream {
  const open = watches.get(user) ?? 0
  if (open >= MAX_WATCHES) throw tooMany(`user ${JSON.stringify(user)} has ${MAX_WATCHES} watches open; close some`)
  return {
    ...stream,
    start: (sink) => {
      watches.set(user, (watches.get(user) ?? 0) + 1)
      sink.onClose(() => {
        const left = (watches.get(user) ?? 1) - 1
        if (left > 0) watches.set(user, left)
        else watches.delete(user)
      })
      stream.start(sink)
    },
  }
}
