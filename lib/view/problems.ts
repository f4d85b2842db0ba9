/** Problem details of the HTTP API (RFC 9457), by the reason for programs. */
import { z } from 'zod'
import { described } from './described'
import type { Text } from '@/lib/messages'
import { workloadRefSchema } from './actions'

/** Status by reason. `api.problem.<reason>` explains a reason and what to do. */
export const PROBLEMS = {
  BadRequest: 400,
  Malformed: 400,
  Invalid: 400,
  TooManyWorkloads: 400,
  LoginRequired: 401,
  SessionExpired: 401,
  SessionRevoked: 401,
  TokenInvalid: 401,
  Unauthorized: 401,
  Forbidden: 403,
  Foreign: 403,
  ReadOnly: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  AlreadyExists: 409,
  NothingToDo: 409,
  PlanOutdated: 409,
  StillRunning: 409,
  OutcomeUnknown: 409,
  Expired: 410,
  PreconditionFailed: 412,
  RequestEntityTooLarge: 413,
  UriTooLong: 414,
  UnsupportedMediaType: 415,
  Refused: 422,
  IdempotencyKeyReused: 422,
  TooManyRequests: 429,
  HeadersTooLarge: 431,
  InternalError: 500,
  ApiServerFailed: 502,
  CredentialsRefused: 502,
  NotSynced: 503,
  Stale: 503,
  Unreachable: 503,
  StoreUnavailable: 503,
  Unavailable: 503,
  Timeout: 504,
} as const

export type ProblemReason = keyof typeof PROBLEMS

/** How much of a refused action was carried out. */
const outcomes = ['nothing', 'part', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

/** Body of every answer with a status of 400 or more, as `application/problem+json`. */
export const problemSchema = z
  .strictObject({
    type: z.string().meta(described('api.schema.problem.type')),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().meta(described('api.schema.problem.detail')),
    instance: z.string().meta(described('api.schema.problem.instance')),
    reason: z.string().meta(described('api.schema.problem.reason')),
    field: z.string().optional().meta(described('api.schema.problem.field')),
    plan: z.unknown().optional().meta(described('api.schema.problem.plan')),
    workloads: z.array(workloadRefSchema).optional().meta(described('api.schema.problem.workloads')),
    changed: z.enum(outcomes).optional().meta(described('api.schema.problem.changed')),
    retryAfterSeconds: z.number().int().optional(),
  })
  .meta({ id: 'Problem' })

export type Problem = z.infer<typeof problemSchema>

/** Returns the location of a reason on the API page. */
export const problemType = (reason: string): string => `/api-reference#problem-${reason.toLowerCase()}`

/** Returns the members of every problem, in the reader's language. `detail` says what happened and what to do next. */
export function problemAbout(
  text: Text,
  reason: ProblemReason,
  { detail, requestId, status = PROBLEMS[reason] }: { detail: string; requestId: string; status?: number },
): Problem {
  return {
    type: problemType(reason),
    title: text(`api.problem.${reason}.title`),
    status,
    detail,
    instance: `urn:request:${requestId}`,
    reason,
  }
}
