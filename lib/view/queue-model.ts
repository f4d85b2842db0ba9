/** View models of queues: their pending workloads, shares and holds. */
import type { z } from 'zod'
import type {
  amountSchema,
  holdSchema,
  pendingSchema,
  queueDetailSchema,
  queueSchema,
  settingsSchema,
} from './schemas/queues'

export type { HeldView } from './model'

/** An amount of one resource, in base units (millicores, bytes, counts). */
export type AmountView = z.infer<typeof amountSchema>

/** The state of a hold. `requested`: not yet effective. `leaking`: a held workload was scheduled despite it. */
export type HoldViewState = HoldView['state']

export type HoldView = z.infer<typeof holdSchema>

/** A workload that another client resumed despite a hold. */
export type ReleasedPastView = NonNullable<HoldView['undoneBy']>['released'][number]

/** One pending workload of a queue. */
export type PendingView = z.infer<typeof pendingSchema>

/** One queue in the list. `id` is `namespace/name`. */
export type QueueView = z.infer<typeof queueSchema>

/** Settings of a queue for its form: quantities as they were written. */
export type QueueSettingsView = z.infer<typeof settingsSchema>

/** One queue with its pending workloads; the page of a queue. `id` as in QueueView. */
export type QueueDetailView = z.infer<typeof queueDetailSchema>
