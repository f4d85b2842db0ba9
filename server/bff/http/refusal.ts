/** How the BFF says no. */
import { KubeError } from '@/lib/kube/errors'
import type { ActionError } from '@/lib/view/actions'

/** Thrown by actions and guards; becomes the body of the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(readonly body: ActionError) {
    super(body.error.message)
  }
}

interface RefusalDetail {
  /** JSON path of the offending field. */
  field?: string
  plan?: unknown
}

/** Makes a refusal from its parts. `message` tells the reader what to do next. */
export function refuse(code: number, reason: string, message: string, more: RefusalDetail = {}): Refusal {
  const { field, plan } = more
  return new Refusal({ error: { code, reason, message, field }, plan })
}

const UNREACHABLE = 'The API server does not answer. Nothing was changed; try again when the console is live.'

/** The refusal for anything thrown; undefined for what nobody foresaw. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  return error instanceof KubeError ? fromApiServer(error) : undefined
}

function fromApiServer(error: KubeError): Refusal {
  if (error.reason === 'Unreachable') {
    return refuse(503, 'Unreachable', UNREACHABLE)
  }
  const field = error.status.details?.causes?.[0]?.field
  return refuse(error.code, error.reason || 'Refused', `The API server refused: ${error.message}`, { field })
}
