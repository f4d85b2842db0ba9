/** Schemas of rehearsals. `rehearsal-model.ts` derives its types from them. */
import { z } from 'zod'
import { described } from '../described'
import { incidentRecordSchema } from './failover'
import { planRunSchema } from './rebalance'
import { count, messageSchema, sentenceSchema, time } from './fleet'

/** Longer scenarios are rejected (`MAX_SCENARIO_LENGTH`). */
const MAX_TEXT_LENGTH = 512 * 1024

export const rehearsalBody = z.strictObject({
  scenario: z.string().max(MAX_TEXT_LENGTH).meta(described('api.endpoint.rehearse.scenario')),
})

const ms = z.number()
const workload = z.strictObject({ kind: z.string(), namespace: z.string(), name: z.string() })

const outage = z.strictObject({ workload, ready: count, desired: count, atMs: ms, forMs: ms })

export const rehearsalSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string().optional(),
    /** `ended`: without a verdict; `problems` has the reasons. */
    state: z.enum(['waiting', 'running', 'done', 'ended', 'cancelled']).meta(described('api.schema.rehearsal.state')),
    createdAt: time,
    startedAt: time.optional(),
    finishedAt: time.optional(),
    /** Number of running or queued rehearsals before it. */
    ahead: count.optional(),
    /** Duration of the scenario, in simulated time. */
    durationMs: ms,
    steps: count,
    assertions: count,
    progress: z
      .strictObject({
        phase: z.enum(['copying', 'settling', 'running']),
        /** Simulated time. */
        atMs: ms,
        stepsDone: count,
      })
      .optional()
      .meta(described('api.schema.rehearsal.progress')),
    verdict: z
      .strictObject({
        passed: z.boolean(),
        holding: count,
        failing: count,
        /** Assertions without a matching workload or cluster: they neither pass nor fail. */
        unchecked: count,
      })
      .optional(),
    /** The most affected workload. */
    worst: outage.optional(),
    problems: z.array(messageSchema),
  })
  .meta({ id: 'Rehearsal', ...described('api.schema.rehearsal') })

export const rehearsalsSchema = z
  .strictObject({
    rehearsals: z.array(rehearsalSchema),
    limits: z.strictObject({ workloads: count, replicas: count, minutes: count }),
  })
  .meta({ id: 'Rehearsals' })

const replicas = z.array(z.strictObject({ cluster: z.string(), replicas: count }))

export const rehearsalResultSchema = z.strictObject({
  takenAt: time,
  source: z.string(),
  clusters: count,
  workloads: count,
  settledMs: ms,
  /** Workloads that were not complete before the first step, with the names of the first ones. */
  incomplete: z.strictObject({ count, names: z.array(z.string()) }),
  proof: z.strictObject({
    workloads: count,
    kept: count,
    percent: z.number(),
    notCompared: count,
    moved: z.array(
      z.strictObject({ kind: z.string(), namespace: z.string().optional(), name: z.string(), reason: sentenceSchema }),
    ),
  }),
  omissions: z.array(messageSchema),
  assertions: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.string(),
      passed: z.boolean(),
      /** The limit of the assertion, if it has one. */
      limit: z
        .strictObject({ timeMs: ms.optional(), share: z.number().optional(), replicas: count.optional() })
        .optional(),
      judged: count,
      breaches: count,
      evidence: z.array(
        z.strictObject({
          workload: workload.optional(),
          cluster: z.string().optional(),
          atMs: ms,
          forMs: ms,
          message: messageSchema,
        }),
      ),
    }),
  ),
  steps: z.array(z.strictObject({ step: count, atMs: ms, message: messageSchema })),
  /** Replicas in each cluster over time; a point is valid until the next one. */
  course: z.array(
    z.strictObject({
      cluster: z.string(),
      points: z.array(z.strictObject({ atMs: ms, up: z.boolean(), ready: count, placed: count })),
    }),
  ),
  /** Utilization of each cluster by requests in the copy: the larger share of CPU and memory. */
  loads: z.array(
    z.strictObject({
      cluster: z.string(),
      before: z.number(),
      highest: z.strictObject({ share: z.number(), resource: z.enum(['cpu', 'memory']), atMs: ms }),
      after: z.number().optional(),
    }),
  ),
  moves: z.array(z.strictObject({ workload, before: replicas, after: replicas })),
  movesTotal: count,
  /** Incidents and plans of the copy; their records are read separately. */
  incidents: z.array(z.strictObject({ cluster: z.string(), workload: z.string().optional(), atMs: ms })),
  plans: z.array(z.strictObject({ name: z.string(), phase: planRunSchema.shape.phase })),
})

/** What the console would have recorded of the copy, in the times of the copy. */
export const rehearsalRecordingSchema = z
  .strictObject({
    /** In the order of `incidents` in the result. */
    incidents: z.array(incidentRecordSchema),
    /** `record` is absent for a plan that did not start. */
    plans: z.array(z.strictObject({ plan: planRunSchema, record: incidentRecordSchema.optional() })),
  })
  .meta({ id: 'RehearsalRecording', ...described('api.schema.rehearsalRecording') })

export const rehearsalDetailSchema = z
  .strictObject({
    run: rehearsalSchema,
    /** The original text. */
    scenario: z.string(),
    result: rehearsalResultSchema.optional(),
  })
  .meta({ id: 'RehearsalDetail' })
