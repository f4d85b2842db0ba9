/** The form of a question and of its answer. */
import type { ReviewRequest } from '@/lib/kube/admission-webhooks/review'
import { kubeError } from '@/lib/kube/errors'
import type { JsonPatchOperation } from '@/lib/kube/patch'

/**
 * The decision on one write: a patch, empty if the write passes unchanged. A rejection with a `Refusal` denies it; any
 * other rejection leaves the decision to the failure policy.
 */
export type Decide = (request: ReviewRequest) => Promise<readonly JsonPatchOperation[]>

/** A write that is refused; the message is what its writer reads. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(
    readonly code: 403 | 422,
    message: string,
  ) {
    super(message)
  }
}

export interface Review {
  apiVersion: string
  request: ReviewRequest
}

/** Undefined for what is no AdmissionReview in the version that is registered. */
export function readReview(text: string): Review | undefined {
  try {
    const { kind, apiVersion, request } = JSON.parse(text) as Partial<Review> & { kind?: unknown }
    if (kind !== 'AdmissionReview' || apiVersion !== 'admission.k8s.io/v1') return undefined
    return typeof request?.uid === 'string' ? { apiVersion, request } : undefined
  } catch {
    return undefined
  }
}

/** The answer to a review. Rejects when it could not be decided. */
export async function answerReview({ apiVersion, request }: Review, decide: Decide): Promise<object> {
  const answer = (response: object): object => ({
    apiVersion,
    kind: 'AdmissionReview',
    response: { uid: request.uid, ...response },
  })
  try {
    const patch = await decide(request)
    if (patch.length === 0) return answer({ allowed: true })
    return answer({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message } = error
    const { status } = kubeError(code, code === 403 ? 'Forbidden' : 'Invalid', message)
    return answer({ allowed: false, status })
  }
}
