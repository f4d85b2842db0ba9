/** Every way in which the HTTP API says no (RFC 9457), by the word that programs go by. */
import { z } from 'zod'
import { workloadRefSchema } from './actions'

interface Meaning {
  status: number
  /** The same for every occurrence; what happened here stands in `detail`. */
  title: string
  /** What to do about it. */
  advice: string
}

/** By reason. */
export const PROBLEMS = {
  BadRequest: { status: 400, title: 'The request cannot be read', advice: 'Mend the body: it must be JSON.' },
  Malformed: {
    status: 400,
    title: 'The request is not well-formed HTTP',
    advice: '`detail` says what is wrong with it: mend what sends it, or what stands between.',
  },
  Invalid: {
    status: 400,
    title: 'The request is not valid',
    advice: '`field` names what is wrong, `detail` says why.',
  },
  TooManyWorkloads: { status: 400, title: 'Too many workloads at once', advice: 'Choose fewer, or split them into several plans: `workloads` lists what a selection chooses.' },
  LoginRequired: { status: 401, title: 'Nobody is logged in', advice: 'Log in, or send a bearer token.' },
  SessionExpired: { status: 401, title: 'The session has ended', advice: 'Log in again.' },
  SessionRevoked: { status: 401, title: 'The session was ended', advice: 'Log in again, if you still may.' },
  TokenInvalid: { status: 401, title: 'The token is not accepted', advice: 'Send a valid token.' },
  Unauthorized: { status: 401, title: 'The API server does not know you any more', advice: 'Log in again.' },
  Forbidden: {
    status: 403,
    title: 'That is not allowed',
    advice: '`detail` names the right that is missing; who administers the control plane grants it.',
  },
  Foreign: {
    status: 403,
    title: 'The request comes from another site',
    advice: 'Use the console under one of its own host names.',
  },
  ReadOnly: {
    status: 403,
    title: 'This console changes nothing',
    advice: 'It was started read-only. Use another console, or kubectl.',
  },
  NotFound: {
    status: 404,
    title: 'There is no such thing',
    advice: 'Look whether the name is right. What you may not see counts as not there.',
  },
  MethodNotAllowed: {
    status: 405,
    title: 'Not with this method',
    advice: 'The header Allow names the methods of this path.',
  },
  RequestTimeout: {
    status: 408,
    title: 'The request did not end in time',
    advice: 'Send it again, in one go.',
  },
  Conflict: { status: 409, title: 'Somebody changed it at the same time', advice: 'Read it again, then decide anew.' },
  AlreadyExists: { status: 409, title: 'It is there already', advice: 'Choose another name.' },
  NothingToDo: {
    status: 409,
    title: 'There is nothing to do',
    advice: 'It is already as it was asked for, or what it is about is gone.',
  },
  PlanOutdated: {
    status: 409,
    title: 'The world has changed since the plan',
    advice: '`plan` is the plan as it would be now: look at it and confirm again.',
  },
  StillRunning: {
    status: 409,
    title: 'This action is still running',
    advice: 'Ask again with the same Idempotency-Key after Retry-After.',
  },
  OutcomeUnknown: {
    status: 409,
    title: 'Nobody knows what became of it',
    advice: 'Look whether it was done; then send it with a new Idempotency-Key if it was not.',
  },
  Expired: { status: 410, title: 'It is too old', advice: 'Begin anew, without `continue`.' },
  PreconditionFailed: {
    status: 412,
    title: 'It was changed since you read it',
    advice: 'Read it again and send its new ETag in If-Match.',
  },
  RequestEntityTooLarge: { status: 413, title: 'The body is too large', advice: 'Send less at once.' },
  UriTooLong: { status: 414, title: 'The address is too long', advice: 'Ask for less at once.' },
  UnsupportedMediaType: { status: 415, title: 'The body is of another type', advice: 'Send application/json.' },
  Refused: { status: 422, title: 'The API server refuses this', advice: '`detail` is its reason.' },
  IdempotencyKeyReused: {
    status: 422,
    title: 'This key belongs to another request',
    advice: 'Make a new Idempotency-Key for each action.',
  },
  TooManyRequests: { status: 429, title: 'Too many requests', advice: 'Wait for as long as Retry-After says.' },
  HeadersTooLarge: {
    status: 431,
    title: 'The headers are too large',
    advice: 'Send fewer and shorter ones; in a browser, remove the cookies of this site.',
  },
  InternalError: {
    status: 500,
    title: 'The console failed',
    advice: 'Its log says why, under the request id in `instance`.',
  },
  ApiServerFailed: { status: 502, title: 'The API server failed', advice: 'Try again in a moment; its log says why.' },
  CredentialsRefused: {
    status: 502,
    title: 'The API server does not accept this console',
    advice: 'Who runs the console renews its credentials.',
  },
  NotSynced: {
    status: 503,
    title: 'The console is not ready',
    advice: 'It has not yet seen the whole control plane. Try again in a moment.',
  },
  Stale: {
    status: 503,
    title: 'The console is out of date',
    advice: 'The control plane does not answer. Try again when the console is live.',
  },
  Unreachable: { status: 503, title: 'The API server does not answer', advice: 'Try again when it is back.' },
  StoreUnavailable: { status: 503, title: 'The shared store does not answer', advice: 'Try again when it is back.' },
  Unavailable: { status: 503, title: 'That cannot be told at present', advice: 'Try again in a moment.' },
  Timeout: {
    status: 504,
    title: 'The API server took too long',
    advice: 'Look whether it was done before you try again.',
  },
} as const satisfies Record<string, Meaning>

export type ProblemReason = keyof typeof PROBLEMS

/** What an action left behind when it was refused: nothing, a part, or nobody can tell. */
const outcomes = ['nothing', 'part', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

/** The body of every answer with a status of 400 or more, as `application/problem+json`. */
export const problemSchema = z
  .strictObject({
    type: z.string().meta({ description: 'The section of the API page about this kind of problem.' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().meta({ description: 'What happened, and what to do next, for people.' }),
    instance: z
      .string()
      .meta({ description: 'Names this occurrence in logs and audit: `urn:request:` and the request id.' }),
    reason: z.string().meta({ description: 'What programs go by.' }),
    field: z.string().optional().meta({ description: 'The offending field of the body or the query.' }),
    plan: z.unknown().optional().meta({ description: 'With PlanOutdated: the plan as it would be now.' }),
    workloads: z
      .array(workloadRefSchema)
      .optional()
      .meta({ description: 'With TooManyWorkloads: the workloads that were chosen, where they were chosen by a selection.' }),
    changed: z
      .enum(outcomes)
      .optional()
      .meta({ description: 'Of an action that the API server did not carry out: what it left behind.' }),
    retryAfterSeconds: z.number().int().optional(),
  })
  .meta({ id: 'Problem' })

export type Problem = z.infer<typeof problemSchema>

/** Where the API page tells of a reason. */
export const problemType = (reason: string): string => `/api-reference#problem-${reason.toLowerCase()}`

/** The members that every problem has; `detail` tells what happened here, and what to do next. */
export function problemAbout(
  reason: ProblemReason,
  { detail, requestId, status = PROBLEMS[reason].status }: { detail: string; requestId: string; status?: number },
): Problem {
  const { title } = PROBLEMS[reason]
  return { type: problemType(reason), title, status, detail, instance: `urn:request:${requestId}`, reason }
}
