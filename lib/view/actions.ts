/** Request bodies and queries of the endpoints of `/api/v1`. Every refusal is a `Problem`. */
import { z } from 'zod'
import { POLICY_EDITS } from './policy-edits'
import { described } from './described'
import { nameProblem } from './object-name'

export const workloadRefSchema = z.strictObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  namespace: z.string().min(1).optional(),
  name: z.string().min(1),
})

/** A number, or a percentage. */
const countOrShare = z.union([
  z.number().int().min(1).max(2147483647),
  z.string().regex(/^(100|[1-9]?\d)%$/, 'api.invalid.countOrShare'),
])

/** Options for a rebalance in waves, named as in RebalancePlan. */
export const rolloutSchema = z.strictObject({
  waveSize: countOrShare,
  soakSeconds: z.number().int().min(0).max(86_400),
  minReady: countOrShare,
  makeBeforeBreak: z.boolean(),
  onRegression: z.enum(['Hold', 'Continue']),
  allowFewerReplicas: z.boolean(),
})

/** Name of the object to create; generated if absent. */
const objectName = z
  .string()
  .refine((text) => nameProblem(text) === undefined, 'api.invalid.subdomain')
  .optional()
  .meta(described('api.schema.objectName'))

const ttl = z.number().int().min(0).max(2147483647)
const targets = z.array(workloadRefSchema).min(1).max(5000)

/** POST /api/v1/rebalance-previews → RebalancePlanView. Without `rollout`: a WorkloadRebalancer, without waves. */
export const planRebalanceBody = z.strictObject({ targets, rollout: rolloutSchema.optional() })

/** POST /api/v1/rebalancers → 201 { name }, or 409 with the new plan when the fleet changed since `base`. */
export const createRebalancerBody = z.strictObject({
  targets,
  /** `RebalancePlanView.base` of the plan that the user saw. */
  base: z.string().min(1),
  name: objectName,
  ttlSecondsAfterFinished: ttl.optional(),
})

const names = z.array(z.string().min(1)).min(1)

/** Selects workloads: all given criteria must match, each with at least one entry of its list. */
export const selectionSchema = z
  .strictObject({
    namespaces: names.optional(),
    kinds: names.optional(),
    runningOn: names.optional(),
    left: names.optional(),
    policies: z
      .array(z.strictObject({ namespace: z.string().min(1).optional(), name: z.string().min(1) }))
      .min(1)
      .optional(),
    /** In kubectl's syntax: `app=web,tier in (a,b)`. */
    labels: z.string().min(1).optional(),
  })
  .refine((selection) => Object.values(selection).some((part) => part !== undefined), 'api.invalid.emptySelection')

/**
 * POST /api/v1/rebalance-plans → 201 { name }. With `targets` and the `base` of their preview it runs at once, or is
 * refused with 409 and the new plan if the fleet changed. A plan by selection, or one that undoes another plan, first
 * shows its preview and waits for approval.
 */
export const createPlanBody = z.union([
  z.strictObject({
    targets,
    base: z.string().min(1),
    name: objectName,
    rollout: rolloutSchema,
    ttlSecondsAfterFinished: ttl.optional(),
  }),
  z.strictObject({
    selection: selectionSchema,
    name: objectName,
    rollout: rolloutSchema,
    ttlSecondsAfterFinished: ttl.optional(),
  }),
  z.strictObject({ undoOf: z.string().min(1), name: objectName }),
])

/** POST /api/v1/rebalance-plans/{plan}/actions → { name }. */
export const planActionBody = z.union([
  z.strictObject({ action: z.enum(['pause', 'resume', 'stop', 'discard']) }),
  /** The preview that the user saw. */
  z.strictObject({ action: z.literal('approve'), base: z.string().min(1) }),
  /** Number of holds that the user saw. */
  z.strictObject({ action: z.literal('continue'), holds: z.number().int().min(1) }),
])

/** POST /api/v1/clusters/{cluster}/simulation → { name }: stops or starts a simulated member, or changes its nodes. */
export const simulationBody = z.union([
  z.strictObject({ state: z.enum(['up', 'down']) }),
  z.strictObject({ nodes: z.number().int().min(0).max(1000) }),
])
export type SimulationBody = z.infer<typeof simulationBody>

/** POST /api/v1/clusters/{cluster}/taints → { name }: adds a taint, or removes the one with this key and effect. */
export const taintBody = z.strictObject({
  change: z.enum(['add', 'remove']),
  taint: z.strictObject({
    key: z.string().min(1).max(316),
    value: z.string().max(63).optional(),
    effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  }),
})
export type TaintBody = z.infer<typeof taintBody>

/** POST /api/v1/what-ifs → WhatIfView. */
const CLUSTER_NAME = /^[a-z0-9]([-a-z0-9]{0,46}[a-z0-9])?$/

export const whatIfBody = z.strictObject({
  cluster: z.string().min(1),
  others: z.array(z.string().min(1).max(253)).max(1000).optional().meta(described('api.endpoint.whatIf.others')),
  cause: z.enum(['fails', 'drained']),
  capacity: z
    .array(z.strictObject({ cluster: z.string().min(1).max(253), percent: z.int().min(0).max(1000) }))
    .max(1000)
    .optional()
    .meta(described('api.endpoint.whatIf.capacity')),
  replicas: z
    .array(z.strictObject({ workload: z.string().min(1).max(1024), replicas: z.int().min(0).max(100_000) }))
    .max(1000)
    .optional()
    .meta(described('api.endpoint.whatIf.replicas')),
  added: z
    .array(z.strictObject({ name: z.string().regex(CLUSTER_NAME), like: z.string().min(1).max(253) }))
    .max(100)
    .optional()
    .meta(described('api.endpoint.whatIf.added')),
  policies: z
    .array(
      z.union([
        z.strictObject({
          policy: z.string().min(1).max(512),
          edit: z.enum(POLICY_EDITS),
          cluster: z.string().min(1).max(253),
        }),
        z.strictObject({ policy: z.string().min(1).max(512), placement: z.record(z.string(), z.unknown()) }),
      ]),
    )
    .max(100)
    .optional()
    .meta(described('api.endpoint.whatIf.policies')),
})

/** GET /api/v1/journal → JournalEntry[]; see JournalQuery. */
export const journalQuery = z.strictObject({
  workload: z.string().min(1).max(1024).optional(),
  cluster: z.string().min(1).max(253).optional(),
  since: z.iso.datetime({ offset: true, error: 'api.invalid.time' }).optional(),
  download: z.literal('1').optional().meta(described('api.endpoint.journal.download')),
})

const flag = z.literal('true').optional()
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'api.invalid.wholeNumber')
  .optional()

/** GET …/pods/{namespace}/{pod}/log → text. Names are those of Kubernetes' PodLogOptions. */
export const podLogQuery = z.strictObject({
  container: z.string().min(1).max(253).optional(),
  follow: flag,
  previous: flag,
  timestamps: flag,
  tailLines: wholeNumber,
  sinceSeconds: wholeNumber,
  sinceTime: z.iso.datetime({ offset: true, error: 'api.invalid.time' }).optional(),
})

/** GET /api/v1/objects. Without `cluster`: an object of the control plane. */
export const objectQuery = z.strictObject({
  ...workloadRefSchema.shape,
  cluster: z.string().min(1).max(253).optional(),
})

/** POST /api/v1/object-previews, PUT /api/v1/objects: the edited object. */
export const objectBody = z.strictObject({
  object: z.looseObject({
    apiVersion: z.string().min(1),
    kind: z.string().min(1),
    metadata: z.looseObject({
      name: z.string().min(1),
      namespace: z.string().min(1).optional(),
      /** If given, the write fails if the object has changed since. */
      resourceVersion: z.string().min(1).optional(),
    }),
  }),
})
export type ObjectBody = z.infer<typeof objectBody>

/**
 * GET /api/v1/failovers/record → IncidentRecord. For an outage: `cluster`. For a failover: also `workload`. For a plan:
 * `plan`.
 */
export const recordQuery = z.strictObject({
  cluster: z.string().min(1).max(253).optional(),
  workload: z.string().min(1).max(1024).optional(),
  plan: z.string().min(1).max(253).optional(),
  since: z.iso.datetime({ offset: true, error: 'api.invalid.time' }).optional(),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'api.invalid.wholeNumber')
    .optional()
    .meta(described('api.endpoint.record.after')),
})

export type RecordQuery = z.infer<typeof recordQuery>

/** An action on a failover or a cluster. `purgeMode`: how old replicas are removed. */
export const failoverOrder = z.union([
  z.strictObject({
    action: z.literal('evict'),
    workload: z.string().min(1),
    cluster: z.string().min(1),
    purgeMode: z.enum(['Directly', 'Gracefully', 'Never']),
  }),
  z.strictObject({ action: z.enum(['keep', 'release']), workload: z.string().min(1), cluster: z.string().min(1) }),
  z.strictObject({ action: z.enum(['drain', 'undrain']), cluster: z.string().min(1) }),
])

/** POST /api/v1/failover-previews → FailoverPlanView. Changes nothing. */
export type FailoverOrder = z.infer<typeof failoverOrder>

/** POST /api/v1/failover-actions → { asked: true }, or 409 with the new plan when the object changed since `base`. */
export const failoverActionBody = z.strictObject({ base: z.string().min(1), order: failoverOrder })
export type FailoverActionBody = z.infer<typeof failoverActionBody>

export type WhatIfBody = z.infer<typeof whatIfBody>
export type PlanRebalanceBody = z.infer<typeof planRebalanceBody>
export type CreateRebalancerBody = z.infer<typeof createRebalancerBody>
export type Rollout = z.infer<typeof rolloutSchema>
export type Selection = z.infer<typeof selectionSchema>
export type CreatePlanBody = z.infer<typeof createPlanBody>
export type PlanActionBody = z.infer<typeof planActionBody>

/** A permission in terms of RBAC. An absent namespace means all namespaces, or a cluster-scoped kind. */
const questionSchema = z
  .strictObject({
    verb: z.string().min(1).max(63),
    group: z.string().max(253),
    resource: z.string().min(1).max(253),
    subresource: z.string().max(253).optional(),
    namespace: z.string().max(253).optional(),
    name: z.string().max(253).optional(),
  })
  .meta({ id: 'Question' })

/** POST /api/v1/access → the verdicts, in the order of the questions. */
export const accessBody = z.strictObject({ questions: z.array(questionSchema).min(1).max(100) })
export const accessAnswer = z.strictObject({
  verdicts: z.array(
    z
      .strictObject({ allowed: z.boolean(), reason: z.string().meta(described('api.schema.verdictReason')) })
      .meta({ id: 'Verdict' }),
  ),
})

/** The created or changed object. */
export const namedAnswer = z.strictObject({ name: z.string() })
export const askedAnswer = z.strictObject({ asked: z.literal(true) })
