import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, boolean, int32, int64, map, object, oneOf, quantity, string, time } from '../schema'
import { condition } from './condition'

const describe = (description: string) => ({ description })

/** Amounts by resource name, as in a ResourceQuota: `cpu`, `memory`, extended resources, and `replicas`. */
const amounts = map(quantity())

/** A pause of a whole queue. Who and since when are filled in by admission, never by the writer. */
export const queueHold = object(
  {
    reason: string({ minLength: 1, ...describe('Why; shown to everybody who waits.') }),
    until: time(describe('When it ends by itself; in the future when it is set. Absent: until somebody resumes.')),
    by: string(describe('Who set it. Filled in by admission.')),
    since: time(describe('When it was set. Filled in by admission.')),
    includePlaced: boolean(describe('Also suspend workloads that are placed: their scaling and failover stop.')),
    resume: object(
      { step: int32({ minimum: 1, ...describe('So many at a time; the next ones when these are scheduled.') }) },
      {
        required: ['step'],
        ...describe('Present: the hold is being lifted, in the order of the line.'),
      },
    ),
  },
  { required: ['reason'] },
)

/** What a queue promises and what it may use. */
export const queueSpec = object({
  namespaces: array(string(), describe('Namespaces of this tenant besides the one that the queue is in.')),
  strategy: oneOf(['StrictFIFO', 'BestEffortFIFO'], {
    default: 'BestEffortFIFO',
    ...describe(
      'StrictFIFO: nothing overtakes the head of the line. BestEffortFIFO: what fits may pass what does not.',
    ),
  }),
  priorityClasses: array(
    object({ name: string(), value: int32(), default: boolean() }, { required: ['name', 'value'] }),
    describe('Classes that a waiting workload may be put into; without one its schedulePriority counts.'),
  ),
  weight: int32({ default: 1, minimum: 1, maximum: 1000, ...describe('Share beside other queues when they compete.') }),
  quota: object(
    {
      hard: { ...amounts, ...describe('Own quota.') },
      federatedResourceQuota: string(
        describe('Take spec.overall of that FederatedResourceQuota in the namespace of the queue.'),
      ),
      borrowingLimit: {
        ...amounts,
        ...describe(
          'How much of what others leave unused may be borrowed beyond the quota. Absent: nothing; empty: everything.',
        ),
      },
    },
    describe('Absent: without limit.'),
  ),
  maxInFlight: int32({
    minimum: 1,
    ...describe(
      'Released but not yet scheduled at the same time; the order of release is then the order of scheduling.',
    ),
  }),
  hold: queueHold,
  onDelete: oneOf(['Release', 'Hold'], {
    default: 'Release',
    ...describe('What becomes of waiting bindings when the queue is deleted.'),
  }),
})

/** How true a hold is: what was asked for, and what is. */
export const holdStates = ['None', 'Requested', 'Effective', 'Leaking', 'Undone', 'Resuming'] as const

/** What the queue found out. Counts and the head of the line; the whole line is computed where it is shown. */
export const queueStatus = object({
  observedGeneration: int64(),
  namespaces: array(string()),
  pending: int32(describe('Suspended and waiting for their turn.')),
  inFlight: int32(describe('Released and not yet scheduled.')),
  admitted: int32(describe('Released and scheduled, or never held.')),
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
      affected: int32(describe('Bindings that the hold keeps back.')),
      leaks: array(
        object(
          { namespace: string(), name: string(), at: time(), message: string() },
          { required: ['namespace', 'name', 'message'] },
        ),
      ),
      undoneBy: string(describe('Who else releases what this hold keeps back.')),
      undoneTimes: int32(),
      resumed: int32(describe('Released so far by a staged resume.')),
    },
    { required: ['state'] },
  ),
  lastHold: object({ reason: string(), by: string(), since: time(), endedAt: time(), endedBy: string() }),
  slippedThrough: int32(describe('Bindings that came without the webhook and were suspended by the loop.')),
  conditions: array(condition),
})

/**
 * The waiting line of a tenant: new bindings in its namespaces start suspended and are released in order, as far as quota
 * and fair share allow. Lives in the namespace of the tenant.
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
