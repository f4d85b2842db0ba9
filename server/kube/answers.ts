/** Converts error answers of servers to a KubeError. */
import { KubeError, kubeError, type Status, type StatusReason } from '@/lib/kube/errors'

const REASONS: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/**
 * Converts an answer with code 400 or more. If a proxy answers with a page instead of a Status, the page becomes the
 * message. Retry-After is added to the details.
 */
export function errorOfAnswer(code: number, body: unknown, retryAfterSeconds?: number): KubeError {
  const error = errorOfBody(code, body)
  if (retryAfterSeconds === undefined || error.status.details?.retryAfterSeconds !== undefined) return error
  return new KubeError({ ...error.status, details: { ...error.status.details, retryAfterSeconds } })
}

function errorOfBody(code: number, body: unknown): KubeError {
  const status = isStatus(body) ? body : undefined
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const reason = REASONS[code] ?? ''
  if (status) return new KubeError({ ...status, code: status.code || code, reason: status.reason || reason })
  return kubeError(code, reason, text.trim().slice(0, 500) || `the server answered ${code}`)
}

/** Converts the object of an ERROR line of a watch. */
export function errorOfWatch(object: unknown): KubeError {
  if (isStatus(object)) return new KubeError({ ...object, reason: object.reason || (REASONS[object.code] ?? '') })
  return kubeError(500, 'InternalError', 'the watch reported an error without a Status')
}

/** A successful answer with a body that is not JSON, so it is not from an API server. */
export class NoJson extends Error {
  constructor() {
    super('the answer is no JSON')
  }
}

/** Returns the error for a request without an answer: refused, reset, timed out, or cut off. */
export function unreachable(cause: unknown, target: string): KubeError {
  const error = kubeError(0, 'Unreachable', `${target}: ${describe(cause)}`)
  error.cause = cause
  return error
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(describe).join('; ')
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}

function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status'
}
