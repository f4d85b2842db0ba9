/** Schemas of the placement lab, for the HTTP API and its document. Objects are those of the Kubernetes API. */
import { z } from 'zod'
import { described } from '../described'
import { messageSchema, refSchema, replicasSchema, sentenceSchema } from './fleet'

/** API objects are sent by clients that know their schema; the API server validates them. */
const object = z.record(z.string(), z.unknown())

const policyRef = z.strictObject({
  /** Absent: a ClusterPropagationPolicy. */
  namespace: z.string().min(1).max(253).optional(),
  /** Name of an existing or new policy. */
  name: z.string().min(1).max(253),
})

const selectorBody = z.looseObject({
  apiVersion: z.string().max(253),
  kind: z.string().max(253),
  name: z.string().max(253).optional(),
  namespace: z.string().max(253).optional(),
  labelSelector: object.optional(),
})

/** POST /api/v1/placement-labs: the fields of a policy's draft that select its workloads. */
export const labBody = z.strictObject({
  policy: policyRef,
  resourceSelectors: z.array(selectorBody).max(100),
  priority: z.number().int().optional(),
  preemption: z.string().optional(),
})

/** POST /api/v1/placement-previews. */
export const placementPreviewBody = z.strictObject({
  ...labBody.shape,
  placement: object,
  lazy: z.boolean().optional(),
})

/** PUT of a policy, POST of a new one, and the dry run of both. */
export const policyBody = z.strictObject({ manifest: object })

export const selectedSchema = z
  .strictObject({
    ref: refSchema,
    /** Workload ID. */
    id: z.string(),
    state: z.enum(['owned', 'claims', 'other']),
    owner: z.string().optional(),
    why: messageSchema,
  })
  .meta({ id: 'SelectedWorkload' })

export const labSchema = z
  .strictObject({
    selected: z.array(selectedSchema),
    /** Number of selected objects that are not listed. */
    more: z.number().int(),
    /** Objects that could not be listed, and why. */
    unlisted: z.array(messageSchema),
    bindings: z.array(object),
    /** Absent without permission to list Clusters. */
    clusters: z.array(object).optional(),
    profile: object.optional(),
    overrides: z.array(
      z.strictObject({ kind: z.string(), name: z.string(), workloads: z.number(), clusters: z.number() }),
    ),
  })
  .meta({ id: 'PlacementLab', ...described('api.schema.lab') })

export const placementPreviewSchema = z
  .strictObject({
    workloads: z.array(
      z.strictObject({
        id: z.string(),
        /** Clusters that the reader may view; `hidden` replicas are in other clusters. */
        saved: z.array(replicasSchema),
        rebalanced: z.array(replicasSchema),
        hidden: z.number().int(),
        failure: sentenceSchema.optional(),
      }),
    ),
  })
  .meta({ id: 'PlacementPreview', ...described('api.schema.placementPreview') })

export const policyDocumentSchema = z.strictObject({ manifest: object }).meta({ id: 'PolicyDocument' })
