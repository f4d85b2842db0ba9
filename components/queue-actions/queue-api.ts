/** Actions on queues and single bindings. Each resolves once it is accepted; its effect shows in the stream. All throw ActionFailure. */
import type { WorkloadRef } from '@/lib/view/model'
import type { QueueSettingsView } from '@/lib/view/queue-model'
import type { HoldOrder } from '@/lib/view/queue-patches'
import { order, read } from '../hooks/actions'

interface ObjectName {
  namespace: string
  name: string
}

/** Settings of a queue; omitted fields get the API's defaults. */
export type QueueSettings = Omit<QueueSettingsView, 'version'>

const pathOf = ({ namespace, name }: ObjectName, act = ''): string =>
  `/api/v1/queues/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}${act && `/${act}`}`

/** A workload that a preview names. */
export interface NamedWorkload {
  id: string
  ref: WorkloadRef
}

/** Current effect of a hold: pending workloads, those in flight, and placed ones only with `includePlaced`. */
export interface HoldPreview {
  waiting: NamedWorkload[]
  inFlight: NamedWorkload[]
  placed: NamedWorkload[]
}

export const previewHold = (queue: ObjectName, signal?: AbortSignal): Promise<HoldPreview> =>
  read(pathOf(queue, 'hold-preview'), signal)

/** The order of release as it would be without the hold; stages count from 1. */
export interface ResumePreview {
  order: (NamedWorkload & { stage: number })[]
  /** Those behind, that are not named. */
  more: number
  stages: number
}

export const previewResume = (
  queue: ObjectName,
  step: number | undefined,
  signal?: AbortSignal,
): Promise<ResumePreview> =>
  read(`${pathOf(queue, 'resume-preview')}${step === undefined ? '' : `?step=${step}`}`, signal)

/** The version of the queue that the reader saw: an action on another one is refused. */
type Seen = { ifMatch?: string }

/** Holds a queue, or changes its hold. */
export const holdQueue = (queue: ObjectName, hold: HoldOrder, seen: Seen): Promise<unknown> =>
  order(pathOf(queue, 'hold'), hold, seen)

/** Lifts a hold: at once, or `step` at a time. */
export const resumeQueue = (queue: ObjectName, step: number | undefined, seen: Seen): Promise<unknown> =>
  order(pathOf(queue, 'resume'), step === undefined ? {} : { step }, seen)

/** Requests that the queue admits a workload next, independent of its position. */
export const releaseWorkload = (queue: ObjectName, workload: string): Promise<unknown> =>
  order(pathOf(queue, 'release'), { workload })

/** Puts a waiting workload into a class of its queue. */
export const changePriority = (
  queue: ObjectName,
  change: { workload: string; priorityClass: string },
): Promise<unknown> => order(pathOf(queue, 'priority'), change)

export const createQueue = (queue: ObjectName, settings: QueueSettings): Promise<unknown> =>
  order('/api/v1/queues', { namespace: queue.namespace, name: queue.name, spec: settings })

/** Changes a queue; refused with a conflict when it is no longer at `version`. Its hold stays as it is. */
export const updateQueue = (
  queue: ObjectName,
  { settings, version }: { settings: QueueSettings; version: string },
): Promise<unknown> => order(pathOf(queue), { spec: settings }, { method: 'PUT', ifMatch: version })

export const deleteQueue = (queue: ObjectName): Promise<unknown> =>
  order(pathOf(queue), undefined, { method: 'DELETE' })

const bindingPath = ({ namespace, name }: ObjectName, act: 'suspend' | 'resume'): string =>
  `/api/v1/bindings/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/${act}`

/** Suspends the scheduling of one binding; the control plane refuses it for a scheduled one. */
export const suspendBinding = (binding: ObjectName, reason: string): Promise<unknown> =>
  order(bindingPath(binding, 'suspend'), { reason })

export const resumeBinding = (binding: ObjectName): Promise<unknown> => order(bindingPath(binding, 'resume'), {})
