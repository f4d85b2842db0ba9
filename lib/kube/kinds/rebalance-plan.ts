import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, boolean, int32, int64, intOrString, object, oneOf, string, time } from '../schema'
import { condition } from './condition'
import { labelSelector } from './placement'
import { objectReference } from './workload-rebalancer'

const describe = (description: string) => ({ description })

/** Replicas of one cluster in a recorded or predicted distribution. */
export const clusterReplicas = object({ name: string(), replicas: int32() }, { required: ['name'] })

const distribution = array(clusterReplicas)

/** Selects workloads. All fields that are set must match; within a list one entry is enough. */
export const rebalanceSelection = object({
  namespaces: array(string(), describe('Namespaces of the workloads.')),
  labelSelector: { ...labelSelector, ...describe('Labels of the workloads, not of their bindings.') },
  kinds: array(string(), describe('Kinds, for instance Deployment.')),
  runningOn: array(string(), describe('Workloads placed in one of these clusters.')),
  left: array(string(), describe('Workloads that were evicted from one of these clusters and have not returned.')),
  policies: array(
    object({ namespace: string(), name: string() }, { required: ['name'] }),
    describe('Policies that propagate the workloads. Without namespace: ClusterPropagationPolicies.'),
  ),
})

/** How many workloads move at a time. */
export const rebalanceWaves = object({
  size: intOrString({
    default: '10%',
    ...describe('Workloads per wave: a number, or a percentage of the workloads that move.'),
  }),
  maxReplicasMoved: intOrString(
    describe('Maximum number of replicas that move in one wave: a number, or a percentage of all that move.'),
  ),
  soakSeconds: int32({
    default: 0,
    minimum: 0,
    ...describe('Pause between the end of a wave and the start of the next.'),
  }),
})

const timeouts = object({
  scheduleSeconds: int32({
    default: 120,
    minimum: 1,
    ...describe('A workload that is triggered and not scheduled within this time is a fault.'),
  }),
  settleSeconds: int32({
    default: 600,
    minimum: 1,
    ...describe('A workload that is scheduled and not healthy within this time is a fault.'),
  }),
})

/** The desired rebalance. */
export const rebalancePlanSpec = object({
  workloads: array(objectReference, describe('Workloads by name, in addition to the selection.')),
  selection: rebalanceSelection,
  undoOf: string(describe('Name of a plan. Restores the distribution that it recorded instead of scheduling again.')),
  restore: array(
    object({ workload: objectReference, clusters: distribution }, { required: ['workload', 'clusters'] }),
    describe('Restores exactly these distributions instead of scheduling again.'),
  ),
  base: string(describe('The approved preview (status.base). The plan does not start before it is set.')),
  autoApprove: boolean(describe('Starts without waiting for base.')),
  waves: rebalanceWaves,
  minReady: intOrString({
    default: '100%',
    ...describe(
      'Disruption budget: number or percentage of replicas of each workload that stay ready. Never more than were ready before.',
    ),
  }),
  makeBeforeBreak: boolean({ default: true, ...describe('Keeps old replicas until the new ones are ready.') }),
  onRegression: oneOf(['Hold', 'Continue'], { default: 'Hold' }),
  acknowledgedHolds: int32({
    default: 0,
    minimum: 0,
    ...describe('Continues after this number of holds; see status.holds.'),
  }),
  allowFewerReplicas: boolean(describe('Also moves workloads that would have fewer replicas or no cluster.')),
  paused: boolean(describe('Starts no further wave; workloads that are already moving finish.')),
  stopped: boolean(describe('Ends the plan; workloads that are already moving finish.')),
  timeouts,
  ttlSecondsAfterFinished: int32({ minimum: 0 }),
})

/** Progress of one workload. Each stage implies the previous ones; Skipped and Failed are final. */
export const planStages = [
  'Pending',
  'Triggered',
  'Scheduled',
  'Applied',
  'Healthy',
  'Done',
  'Skipped',
  'Failed',
] as const

/** One workload of a plan. */
export const plannedWorkload = object(
  {
    workload: objectReference,
    stage: oneOf(planStages),
    reason: string(),
    message: string(),
    wave: int32(describe('Of a pending workload: the running wave, in which it waits for its turn.')),
    before: distribution,
    predicted: distribution,
    renewed: boolean(describe('The prediction is another one than in the approved preview.')),
    uncertain: object(
      {
        reason: string(),
        other: { ...distribution, ...describe('The result that the scheduler may choose instead.') },
      },
      { required: ['reason'], ...describe('Why the scheduler may choose another result than predicted, and which.') },
    ),
    actual: distribution,
    replicasMoved: int32(),
    /** Replicas that are not where the preview predicted. */
    predictionError: int32(),
    /** Ready replicas: minimum of the budget, expected minimum, observed minimum. */
    readyFloor: int32(),
    readyExpected: int32(),
    readyLowest: int32(),
    triggeredAt: time(),
    finishedAt: time(),
  },
  { required: ['workload', 'stage'] },
)

/** A wave that has started. */
export const planWave = object(
  { number: int32(), workloads: int32(), replicasMoved: int32(), startedAt: time(), finishedAt: time() },
  { required: ['number', 'workloads', 'startedAt'] },
)

/** Phases of a plan; `Completed`, `Stopped` and `Invalid` are final. */
export const planPhases = [
  'AwaitingApproval',
  'Running',
  'Paused',
  'Held',
  'Stopping',
  'Stopped',
  'Completed',
  'Invalid',
] as const

/** The observed state of a plan. */
export const rebalancePlanStatus = object({
  observedGeneration: int64(),
  phase: oneOf(planPhases),
  base: string(),
  changes: array(string(), describe('Differences between the current state and the approved preview.')),
  progress: string(),
  wave: int32(),
  waves: array(planWave),
  counts: object({
    total: int32(),
    pending: int32(),
    moving: int32(),
    done: int32(),
    skipped: int32(),
    failed: int32(),
    replicasMoved: int32(),
  }),
  workloads: array(plannedWorkload),
  headroom: array(
    object({ cluster: string(), gains: int32(), room: int32(), short: boolean() }, { required: ['cluster', 'gains'] }),
    describe('Clusters that gain replicas, and their free capacity in replicas.'),
  ),
  prediction: object({
    error: int32(),
    clusters: array(
      object({ name: string(), predicted: int32(), actual: int32() }, { required: ['name', 'predicted', 'actual'] }),
    ),
  }),
  holds: int32(),
  hold: object(
    { reason: string(), message: string(), workload: objectReference, at: time() },
    { required: ['reason', 'message', 'at'] },
  ),
  stopReason: string(),
  startedAt: time(),
  finishedAt: time(),
  conditions: array(condition),
})

/**
 * A rebalance with preview, waves, disruption budget and undo. Without `spec.base` it shows a preview; with `spec.base` set
 * to the base of that preview (or with `autoApprove`), it runs.
 */
export const rebalancePlan = defineKind({
  group: 'evenkeel.io',
  version: 'v1alpha1',
  kind: 'RebalancePlan',
  plural: 'rebalanceplans',
  shortNames: ['rbp'],
  scope: 'Cluster',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Wave', type: 'integer', jsonPath: '.status.wave' },
    { name: 'Done', type: 'string', jsonPath: '.status.progress' },
    { name: 'Failed', type: 'integer', jsonPath: '.status.counts.failed' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].reason' },
    { name: 'Base', type: 'string', jsonPath: '.status.base', priority: 1 },
    { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].message', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object({ spec: rebalancePlanSpec, status: rebalancePlanStatus }, { required: ['spec'] }),
})

export type RebalancePlanObject = ObjectOf<typeof rebalancePlan>
export type RebalancePlanSpec = Infer<typeof rebalancePlanSpec>
export type RebalancePlanStatus = Infer<typeof rebalancePlanStatus>
export type RebalanceSelection = Infer<typeof rebalanceSelection>
export type PlannedWorkload = Infer<typeof plannedWorkload>
export type PlanStage = (typeof planStages)[number]
export type PlanPhase = (typeof planPhases)[number]
