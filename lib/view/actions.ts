/** The HTTP actions of the BFF: paths, validated bodies, answers. Every refusal is an `ActionError`. */
import { z } from 'zod'

export const workloadRefSchema = z.strictObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  namespace: z.string().min(1).optional(),
  name: z.string().min(1),
})

/** POST /api/plans/rebalance → RebalancePlanView. */
export const planRebalanceBody = z.strictObject({
  targets: z.array(workloadRefSchema).min(1).max(5000),
})

/** POST /api/rebalancers → 201 { name }, or 409 with the new plan when the world moved since `base`. */
export const createRebalancerBody = z.strictObject({
  targets: z.array(workloadRefSchema).min(1).max(5000),
  /** `RebalancePlanView.base` of the plan that the user saw. */
  base: z.string().min(1),
  ttlSecondsAfterFinished: z.number().int().min(0).max(2147483647).optional(),
})

export type PlanRebalanceBody = z.infer<typeof planRebalanceBody>
export type CreateRebalancerBody = z.infer<typeof createRebalancerBody>

/** The body of every answer with a status of 400 or more. */
export interface ActionError {
  error: {
    code: number
    reason: string
    /** Tells the reader what to do next. */
    message: string
    /** JSON path of the offending field in the body, where there is one. */
    field?: string
  }
  /** With reason `PlanOutdated`: the plan as it would be now. */
  plan?: unknown
}
