import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, boolean, int32, int64, map, object, oneOf, quantity, string, time } from '../schema'
import { condition } from './condition'

const describe = (description: string) => ({ description })

/** Amounts by resource name, as in a ResourceQuota: `cpu`, `memory`, extended resources, and `replicas`. */
const amounts = map(quantity())

/** A hold of a queue. Admission sets `by` and `since`; values of the client are dropped. */
export const queueHold = object(
  {
    reason: string({ minLength: 1, ...describe('Reason, visible to the owners of pending workloads.') }),
    until: time(
      describe(
        'Time at which the hold ends automatically; must be in the future when it is set. Absent: until it is resumed.',
      ),
    ),
    by: string(describe('User who set the hold. Set by admission.')),
    since: time(describe('Time at which the hold was set. Set by admission.')),
    includePlaced: boolean(describe('Also suspends placed workloads: their scaling and failover stop.')),
    resume: object(
      {
        step: int32({
          minimum: 1,
          ...describe('Number of workloads admitted at a time; the next ones follow when these are scheduled.'),
        }),
      },
      { required: ['step'], ...describe('Present: the queue resumes in stages, in order.') },
    ),
  },
  { required: ['reason'] },
)

/** Order, quota and hold of a queue. */
export const queueSpec = object({
  namespaces: array(string(), describe('Namespaces of this tenant in addition to the namespace of the queue.')),
  strategy: oneOf(['StrictFIFO', 'BestEffortFIFO'], {
    default: 'BestEffortFIFO',
    ...describe(
      'StrictFIFO: no workload passes the first one. BestEffortFIFO: a workload that fits may pass one that does not.',
    ),
  }),
  priorityClasses: array(
    object({ name: string(), value: int32(), default: boolean() }, { required: ['name', 'value'] }),
    describe('Priority classes for pending workloads. A workload without one is ordered by its schedulePriority.'),
  ),
  weight: int32({ default: 1, minimum: 1, maximum: 1000, ...describe('Relative share when queues compete.') }),
  quota: object(
    {
      hard: { ...amounts, ...describe('Quota of this queue.') },
      federatedResourceQuota: string(
        describe('Name of a FederatedResourceQuota in the namespace of the queue; its spec.overall is the quota.'),
      ),
      borrowingLimit: {
        ...amounts,
        ...describe(
          'Maximum that may be borrowed beyond the quota from the unused quota of other queues. Absent: nothing; empty: no limit.',
        ),
      },
    },
    describe('Absent: no limit.'),
  ),
  maxInFlight: int32({
    minimum: 1,
    ...describe(
      'Maximum number of workloads that are admitted and not yet scheduled. Keeps the order of scheduling close to the order of admission.',
    ),
  }),
  hold: queueHold,
  onDelete: oneOf(['Release', 'Hold'], {
    default: 'Release',
    ...describe(
      'What happens to pending workloads when the queue is deleted: they are admitted in order, or stay suspended.',
    ),
  }),
})

/** States of a hold. */
export const holdStates = ['None', 'Requested', 'Effective', 'Leaking', 'Undone', 'Resuming'] as const

/** Counts and the first pending workload. The complete order is computed by the readers. */
export const queueStatus = object({
  observedGeneration: int64(),
  namespaces: array(string()),
  pending: int32(describe('Workloads that are suspended and pending.')),
  inFlight: int32(describe('Workloads that are admitted and not yet scheduled.')),
  admitted: int32(describe('Workloads that are admitted and scheduled, or were never suspended.')),
  used: amounts,
  quota: amounts,
  borrowed: amounts,
  dominantShare: object({ resource: string(), permille: int32() }, { required: ['resource', 'permille'] }),
  headOfLine: object(
    { namespace: string(), name: string(), reason: string() },
    { required: ['namespace', 'name', 'reason'] },
  ),
  oldestWaitSince: time(),
  hold: object(
    {
      state: oneOf(holdStates),
      message: string(),
      affected: int32(describe('Bindings that are held.')),
      leaks: array(
        object(
          { namespace: string(), name: string(), at: time(), message: string() },
          { required: ['namespace', 'name', 'message'] },
        ),
      ),
      undoneBy: string(describe('Client that resumes held workloads.')),
      undoneTimes: int32(),
      resumed: int32(describe('Workloads admitted so far by a staged resume.')),
    },
    { required: ['state'] },
  ),
  lastHold: object({ reason: string(), by: string(), since: time(), endedAt: time(), endedBy: string() }),
  slippedThrough: int32(describe('Bindings that bypassed admission and were suspended by the controller.')),
  conditions: array(condition),
})

/**
 * Admission order and quota of a tenant: new bindings in its namespaces start suspended and are admitted in order, as far as
 * quota and fair share allow. It is in the namespace of the tenant.
 */
export const queue = defineKind({
  group: 'evenkeel.io',
  version: 'v1alpha1',
  kind: 'Queue',
  plural: 'queues',
  shortNames: ['evq'],
  scope: 'Namespaced',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { name: 'Strategy', type: 'string', jsonPath: '.spec.strategy' },
    { name: 'Weight', type: 'integer', jsonPath: '.spec.weight' },
    { name: 'Pending', type: 'integer', jsonPath: '.status.pending' },
    { name: 'In Flight', type: 'integer', jsonPath: '.status.inFlight' },
    { name: 'Hold', type: 'string', jsonPath: '.status.hold.state' },
    { name: 'Reason', type: 'string', jsonPath: '.spec.hold.reason', priority: 1 },
    { name: 'Head', type: 'string', jsonPath: '.status.headOfLine.name', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object({ spec: queueSpec, status: queueStatus }),
})

export type QueueObject = ObjectOf<typeof queue>
export type QueueSpec = Infer<typeof queueSpec>
export type QueueStatus = Infer<typeof queueStatus>
export type QueueHold = Infer<typeof queueHold>
export type HoldState = (typeof holdStates)[number]
