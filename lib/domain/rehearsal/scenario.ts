/** The format of a scenario: steps that change a fleet, and assertions about it. */
import { z } from 'zod'
import { parseDuration } from '../../std/duration'
import { tryParseQuantity } from '../../kube/quantity'

/** Longer rehearsals are rejected. */
const MAX_MS = 24 * 3_600_000
const MAX_STEPS = 500
const MAX_ASSERTIONS = 100
const MAX_NAMES = 1000

const name = z.string().min(1).max(253)
const names = z.array(name).min(1).max(MAX_NAMES)
/** `namespace/name` of a workload or a queue. */
const address = z.string().regex(/^[^/\s]+\/[^/\s]+$/, { error: 'address' })

const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text)
  if (ms !== undefined && ms <= MAX_MS) return Math.round(ms)
  context.addIssue({ code: 'custom', message: 'duration' })
  return z.NEVER
})

const share = z
  .string()
  .regex(/^(?:100|\d{1,2}(?:\.\d+)?)%$/, { error: 'share' })
  .transform((text) => Number(text.slice(0, -1)) / 100)

const quantity = z.string().refine((text) => (tryParseQuantity(text)?.nano ?? 0n) > 0n, { error: 'quantity' })

/** Clusters by name, region or zone; the union of all lists. */
const whichClusters = { clusters: names.optional(), regions: names.optional(), zones: names.optional() }
const isSome = (given: ClusterChoice): boolean => Boolean(given.clusters ?? given.regions ?? given.zones)
const onClusters = <T extends z.ZodRawShape>(fields: T) =>
  z
    .strictObject({ ...whichClusters, ...fields })
    .refine((given) => isSome(given as ClusterChoice), { error: 'clusters' })

const taintEffect = z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
/** Validated by the API server, except for the fields that name the object. */
const manifest = z.custom<Manifest>(isManifest, { error: 'manifest' })

/** Workloads of a step or an assertion; absent: all. */
const whichWorkloads = { workloads: z.array(address).min(1).max(MAX_NAMES).optional(), namespaces: names.optional() }

/** Step types, by verb. */
export const verbs = {
  lose: onClusters({}),
  recover: onClusters({}),
  drain: onClusters({}),
  undrain: onClusters({}),
  taint: onClusters({ key: name, value: z.string().max(63).optional(), effect: taintEffect }),
  untaint: onClusters({ key: name, effect: taintEffect.optional() }),
  capacity: onClusters({
    nodes: z.int().min(0).max(1000).optional(),
    nodeCpu: quantity.optional(),
    nodeMemory: quantity.optional(),
  }),
  loseNodes: onClusters({ nodes: z.int().min(1).max(1000) }),
  slowImages: onClusters({ readyAfter: duration }),
  failPods: onClusters({ workloads: z.array(address).max(MAX_NAMES) }),
  misreport: onClusters({ as: z.enum(['Ready', 'Truth']) }),
  scale: z.strictObject({ workload: address, kind: name.default('Deployment'), replicas: z.int().min(0).max(1000) }),
  apply: z.strictObject({ manifests: z.array(manifest).min(1).max(200) }),
  remove: z.strictObject({ apiVersion: name, kind: name, namespace: name.optional(), name }),
  hold: z.strictObject({ queue: address, reason: z.string().min(1).max(1024).optional() }),
  resume: z.strictObject({ queue: address }),
  rebalance: z.strictObject({ ...whichWorkloads, waveSize: z.string().max(20).optional() }),
} as const

/** Assertion types, by kind. */
export const assertionKinds = {
  keepBudgets: z.strictObject(whichWorkloads),
  keepReady: z
    .strictObject({ ...whichWorkloads, replicas: z.int().min(1).max(1_000_000).optional(), share: share.optional() })
    .refine(({ replicas, share: part }) => (replicas === undefined) !== (part === undefined), {
      error: 'replicasOrShare',
    }),
  recoverWithin: z.strictObject({ ...whichWorkloads, time: duration }),
  maxLoad: z.strictObject({ clusters: names.optional(), share }),
  nothingDeletedEverywhere: z.strictObject(whichWorkloads),
} as const

/** Flags of the controllers. Absent: the settings of the fleet. */
const timing = z.strictObject({
  clusterStatusUpdateFrequency: duration.optional(),
  clusterSuccessThreshold: duration.optional(),
  clusterFailureThreshold: duration.optional(),
  noExecuteAfter: z.union([z.literal('never'), duration]).optional(),
  resourceEvictionRate: z.number().positive().max(100_000).optional(),
  gracefulEvictionTimeout: duration.optional(),
})

export const stepTime = z.strictObject({ at: duration })
export const assertionName = z.strictObject({ name: name.optional() })

/**
 * The scenario without the content of its steps and assertions, which are parsed individually so that errors name them.
 */
export const scenarioShape = z.strictObject({
  apiVersion: z.literal('evenkeel.io/v1alpha1'),
  kind: z.literal('Scenario'),
  metadata: z.strictObject({ name, description: z.string().max(4096).optional() }),
  spec: z.strictObject({
    duration,
    seed: z
      .int()
      .min(0)
      .max(2 ** 31)
      .default(1),
    /** Maximum time for the fleet to settle before the first step. */
    settleWithin: duration.default(600_000),
    timing: timing.default({}),
    steps: z.array(z.unknown()).min(1).max(MAX_STEPS),
    assertions: z.array(z.unknown()).min(1).max(MAX_ASSERTIONS),
  }),
})

export type AssertionKind = keyof typeof assertionKinds

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
}

/** Reports whether a value has the fields that name an object; the API server validates the rest. */
export function isManifest(value: unknown): value is Manifest {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<Manifest>
  return [apiVersion, kind, metadata?.name].every((text) => typeof text === 'string' && text !== '')
}

type Tagged<Schemas extends Record<string, z.ZodType>> = {
  [K in keyof Schemas & string]: { kind: K; given: z.output<Schemas[K]> }
}[keyof Schemas & string]

export interface ClusterChoice {
  clusters?: readonly string[] | undefined
  regions?: readonly string[] | undefined
  zones?: readonly string[] | undefined
}

export interface WorkloadChoice {
  workloads?: readonly string[] | undefined
  namespaces?: readonly string[] | undefined
}

/** The action of a step. */
export type StepAction = Tagged<typeof verbs>

export interface Step {
  /** Index in the file, from 0. */
  index: number
  atMs: number
  action: StepAction
}

export type Assertion = Tagged<typeof assertionKinds> & {
  /** Name in the scenario, otherwise the kind. */
  name: string
}

export interface Scenario {
  name: string
  description?: string | undefined
  durationMs: number
  seed: number
  settleWithinMs: number
  timing: z.output<typeof timing>
  steps: readonly Step[]
  assertions: readonly Assertion[]
}
