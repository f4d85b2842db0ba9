import { defineKind, type ObjectOf } from '../kind'
import { type Infer, array, boolean, int32, int64, intOrString, object, string, time } from '../schema'
import { condition } from './condition'
import { rebalanceSelection } from './rebalance-plan'

const describe = (description: string) => ({ description })

/** Which workloads return automatically, to which clusters, when, and how many at a time. */
export const failbackPolicySpec = object({
  clusters: array(string(), describe('Clusters to which workloads return. Empty: all clusters.')),
  selection: {
    ...rebalanceSelection,
    ...describe('Workloads to return. Empty: all that were evicted from one of the clusters.'),
  },
  stabilizationSeconds: int32({ default: 600, minimum: 0, ...describe('How long a cluster must have been healthy.') }),
  maxConcurrent: int32({
    default: 5,
    minimum: 1,
    ...describe('Maximum number of workloads that return at the same time.'),
  }),
  minReady: intOrString({ default: '100%', ...describe('Disruption budget of the plans.') }),
  suspend: boolean(describe('Creates no plans; the console still suggests.')),
})

/** The observed state of the policy. */
export const failbackPolicyStatus = object({
  observedGeneration: int64(),
  clusters: array(
    object(
      { name: string(), left: int32(), returning: int32(), stable: boolean(), stableAt: time(), message: string() },
      { required: ['name'] },
    ),
  ),
  moving: int32(),
  lastPlan: string(),
  conditions: array(condition),
})

/** Permits workloads to return automatically to a recovered cluster. */
export const failbackPolicy = defineKind({
  group: 'evenkeel.io',
  version: 'v1alpha1',
  kind: 'FailbackPolicy',
  plural: 'failbackpolicies',
  shortNames: ['fbp'],
  scope: 'Cluster',
  origin: 'crd',
  subresources: { status: true },
  printerColumns: [
    { name: 'Suspended', type: 'boolean', jsonPath: '.spec.suspend' },
    { name: 'Moving', type: 'integer', jsonPath: '.status.moving' },
    { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Active")].reason' },
    { name: 'Last plan', type: 'string', jsonPath: '.status.lastPlan' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  fields: object({ spec: failbackPolicySpec, status: failbackPolicyStatus }, { required: ['spec'] }),
})

export type FailbackPolicy = ObjectOf<typeof failbackPolicy>
export type FailbackPolicySpec = Infer<typeof failbackPolicySpec>
export type FailbackPolicyStatus = Infer<typeof failbackPolicyStatus>
