import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, boolean, int32, int64, intOrString, object, oneOf, string, time } from '../schema'
import { condition } from './condition'
import { labelSelector } from './placement'
import { objectReference } from './workload-rebalancer'

const describe = (description: string) => ({ description })

/** Replicas of one cluster, of a distribution that was recorded or predicted. */
export const clusterReplicas = object({ name: string(), replicas: int32() }, { required: ['name'] })

const distribution = array(clusterReplicas)

/** Chooses workloads. Parts that are given must all hold; within a list one entry suffices. */
export const rebalanceSelection = object({
  namespaces: array(string(), describe('Namespaces of the workloads.')),
  labelSelector: { ...labelSelector, ...describe('Labels of the workloads themselves, not of their bindings.') },
  kinds: array(string(), describe('Kinds such as Deployment.')),
  runningOn: array(string(), describe('Everything that is placed on one of these clusters.')),
  left: array(string(), describe('Everything that had to leave one of these clusters and has not come back.')),
  policies: array(object({ namespace: string(), name: string() }, { required: ['name'] }),
    describe('Policies that propagate the workloads; without namespace: cluster-scoped ones.')),
})

/** How much happens at once. */
export const rebalanceWaves = object({
  size: intOrString({ default: '10%', ...describe('Workloads of one wave: a number, or a share of those that move.') }),
  maxReplicasMoved: intOrString(
    describe('At most so many replicas, or so large a share of all that move, in one wave.'),
  ),
  soakSeconds: int32({ default: 0, minimum: 0, ...describe('Rest after a wave has settled, before the next begins.') }),
})

const timeouts = object({
  scheduleSeconds: int32({
    default: 120,
    minimum: 1,
    ...describe('Triggered but not scheduled for longer is a fault.'),
  }),
  settleSeconds: int32({ default: 600, minimum: 1, ...describe('Scheduled but not healthy for longer is a fault.') }),
})

/** What a plan is asked to do. */
export const rebalancePlanSpec = object({
  workloads: array(objectReference, describe('Workloads by hand, besides those that the selection chooses.')),
  selection: rebalanceSelection,
  undoOf: string(describe('Bring back the distribution recorded by this plan instead of scheduling afresh.')),
  restore: array(
    object({ workload: objectReference, clusters: distribution }, { required: ['workload', 'clusters'] }),
    describe('Bring back exactly these distributions instead of scheduling afresh.'),
  ),
  base: string(describe('The preview that was approved (status.base). Nothing happens before it is set.')),
  autoApprove: boolean(describe('Run what the preview says without waiting for base.')),
  waves: rebalanceWaves,
  minReady: intOrString({
    default: '100%',
    ...describe(
      'Disruption budget: replicas of each workload, or share, that stay ready. Never more than were ready before.',
    ),
  }),
  makeBeforeBreak: boolean({ default: true, ...describe('Old copies stay until the new ones are ready.') }),
  onRegression: oneOf(['Hold', 'Continue'], { default: 'Hold' }),
  acknowledgedHolds: int32({ default: 0, minimum: 0, ...describe('Goes on after that many holds; see status.holds.') }),
  allowFewerReplicas: boolean(describe('Also move what would lose replicas or have no cluster at all.')),
  paused: boolean(describe('Begin no wave; what is on its way is finished.')),
  stopped: boolean(describe('Never begin another wave; what is on its way is finished.')),
  timeouts,
  ttlSecondsAfterFinished: int32({ minimum: 0 }),
})

/** How far one workload has come. Each stage implies the ones before it; Skipped and Failed end. */
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
export const plannedWorkload = object({
  workload: objectReference,
  stage: oneOf(planStages),
  reason: string(),
  message: string(),
  wave: int32(),
  before: distribution,
  predicted: distribution,
  actual: distribution,
  replicasMoved: int32(),
  /** Replicas that end up elsewhere than predicted. */
  predictionError: int32(),
  /** Ready replicas: the least that the budget permits, expected, and seen. */
  readyFloor: int32(),
  readyExpected: int32(),
  readyLowest: int32(),
  triggeredAt: time(),
  finishedAt: time(),
}, { required: ['workload', 'stage'] })

/** One wave that has begun. */
export const planWave = object({
  number: int32(),
  workloads: int32(),
  replicasMoved: int32(),
  startedAt: time(),
  finishedAt: time(),
}, { required: ['number', 'workloads', 'startedAt'] })

/** Phases in which a plan is; `Completed`, `Stopped` and `Invalid` are final. */
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

/** What became of a plan. */
export const rebalancePlanStatus = object({
  observedGeneration: int64(),
  phase: oneOf(planPhases),
  base: string(),
  changes: array(string(), describe('How the world differs from the preview that was approved.')),
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
    describe('Clusters that gain replicas, and how many they have room for.'),
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
 * A rebalance with preview, waves, budget and undo. Created, it shows what it would do; with `spec.base` set to what it
 * shows (or `autoApprove`), it does it.
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
