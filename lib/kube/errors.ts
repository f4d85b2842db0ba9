/** One error type for everything that an API server refuses, as `metav1.Status` spells it. */

/** The reasons of `metav1.Status`, plus `Unreachable` for a server that gave no answer. */
export type StatusReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'Invalid'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'UnsupportedMediaType'
  | 'RequestEntityTooLarge'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'Timeout'
  | 'ServerTimeout'
  | 'QuotaExceeded'
  | 'Unreachable'
  | ''

export interface StatusCause {
  reason?: string
  message?: string
  field?: string
}

export interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: StatusCause[]
  retryAfterSeconds?: number
}

/** `metav1.Status` of a failure. */
export interface Status {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: Record<string, unknown>
  status: 'Failure'
  message: string
  reason: StatusReason
  details?: StatusDetails
  code: number
}

/** Thrown by servers and clients alike; `status` is exactly what travels on the wire. */
export class KubeError extends Error {
  override readonly name = 'KubeError'
  constructor(readonly status: Status) {
    super(status.message)
  }
  get code(): number {
    return this.status.code
  }
  get reason(): StatusReason {
    return this.status.reason
  }
}

/** Makes a KubeError from its parts. */
export function kubeError(code: number, reason: StatusReason, message: string, details?: StatusDetails): KubeError {
  return new KubeError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  })
}

/** True when `error` is a KubeError of that reason. */
export function hasReason(error: unknown, reason: StatusReason): error is KubeError {
  return error instanceof KubeError && error.reason === reason
}
export const isNotFound = (error: unknown): error is KubeError => hasReason(error, 'NotFound')
export const isConflict = (error: unknown): error is KubeError => hasReason(error, 'Conflict')
export const isAlreadyExists = (error: unknown): error is KubeError => hasReason(error, 'AlreadyExists')
export const isInvalid = (error: unknown): error is KubeError => hasReason(error, 'Invalid')
export const isUnreachable = (error: unknown): error is KubeError => hasReason(error, 'Unreachable')
/** The resource version is older than the server remembers (410). */
export const isExpired = (error: unknown): error is KubeError => error instanceof KubeError && error.code === 410
