/** Error answers, for HTTP and in-process requests. */
import { KubeError, kubeError, type Status } from '@/lib/kube/errors'
import type { Reply } from './call'
import { internal } from './failures'

/** The answer for an error. An error other than KubeError is internal, and its details are not revealed. */
export function refusal(error: unknown): Reply {
  const { status } = error instanceof KubeError ? error : internal('the server could not complete the request')
  const retry = status.details?.retryAfterSeconds
  return {
    status: status.code,
    value: wire(status),
    ...(retry !== undefined && { headers: { 'Retry-After': String(retry) } }),
  }
}

/** An empty reason is left out, as Go leaves out empty fields. */
function wire(status: Status): unknown {
  const { reason, ...rest } = status
  return reason === '' ? rest : status
}

/** Larger bodies are refused with 413. */
export const BODY_LIMIT = 3 * 1024 * 1024

export function bodyTooLarge(): KubeError {
  return kubeError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${BODY_LIMIT}`)
}
