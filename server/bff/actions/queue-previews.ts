/** Previews: what a hold would suspend, and in which order a resume would admit. */
import { english } from '@/lib/messages/english'
import type { QueuedBinding, QueuePlan } from '@/lib/domain/queue'
import type { WorkloadRef } from '@/lib/view/model'
import { projectPending, type Sees } from '@/lib/view/project/queue'
import type { PendingView } from '@/lib/view/queue-model'
import { workloadId } from '@/lib/view/workload-id'

const MAX_SHOWN = 500

interface Named {
  id: string
  ref: WorkloadRef
}

export interface HoldPreview {
  /** These stay suspended. */
  waiting: Named[]
  /** Released and not scheduled yet: suspended again unless the scheduler is faster. */
  inFlight: Named[]
  /** Scheduled: suspended only with `includePlaced`; scaling and failover stop for them then. */
  placed: Named[]
  message: string
}

/** Previews a hold. Names only what the reader may see. */
export function previewHold({ queue: { bindings } }: QueuePlan, sees: Sees): HoldPreview {
  const seen = bindings.filter(({ namespace }) => sees(namespace))
  const of = (...states: QueuedBinding['state'][]): Named[] =>
    seen.filter(({ state }) => states.includes(state)).map(({ ref }) => ({ id: workloadId(ref), ref }))
  const [waiting, placed] = [of('Waiting', 'HeldPlaced'), of('Admitted')]
  const inFlight = of('InFlight', 'Refused', 'SlippedThrough', 'TakenOut')
  const message = english('queues.preview.hold', {
    pending: waiting.length,
    inFlight: inFlight.length,
    placed: placed.length,
  })
  return { waiting, inFlight, placed, message }
}

export interface ResumePreview {
  order: (PendingView & { stage: number })[]
  more: number
  stages: number
}

/** Previews a resume. `plan` is the queue without its hold; `step` forms stages, counted from 1. */
export function previewResume(plan: QueuePlan, sees: Sees, step: number | undefined): ResumePreview {
  const waiting = plan.pendingWorkloads.filter(({ why: { code } }) => code !== 'SuspendedByOther')
  const stageOf = (at: number): number => (step === undefined ? 1 : Math.floor(at / step) + 1)
  const order = waiting
    .map((entry, at) => ({ entry, stage: stageOf(at) }))
    .filter(({ entry }) => sees(entry.binding.namespace))
  return {
    order: order.slice(0, MAX_SHOWN).map(({ entry, stage }) => ({ ...projectPending(entry, sees), stage })),
    more: Math.max(0, order.length - MAX_SHOWN),
    stages: waiting.length === 0 ? 0 : stageOf(waiting.length - 1),
  }
}
