/** Builds AdmissionReviews and parses their answers. */
import { kubeError, type KubeError, type Status, type StatusReason } from '../errors'
import type { Operation } from './match-rules'

export interface GroupVersionKind {
  group: string
  version: string
  kind: string
}

export interface GroupVersionResource {
  group: string
  version: string
  resource: string
}

/** `authentication.k8s.io/v1` UserInfo, without empty fields. */
export interface UserInfo {
  username: string
  uid?: string
  groups?: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/**
 * Is the `request` of an AdmissionReview. `kind` and `resource` are those of the webhook's rule, `request…` those of
 * the write.
 */
export interface ReviewRequest {
  uid: string
  kind: GroupVersionKind
  resource: GroupVersionResource
  subResource?: string
  requestKind: GroupVersionKind
  requestResource: GroupVersionResource
  requestSubResource?: string
  name?: string
  namespace?: string
  operation: Operation
  userInfo: UserInfo
  object: unknown
  oldObject: unknown
  dryRun: boolean
  options: unknown
}

/** The versions of the form, as `admissionReviewVersions` lists them. */
export type ReviewVersion = 'v1' | 'v1beta1'

/** The first version in a webhook's list that is spoken here. */
export function reviewVersionOf(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1')
}

export function reviewOf(version: ReviewVersion, request: ReviewRequest): object {
  return { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request }
}

/** Decision of a webhook. */
export interface ReviewOutcome {
  allowed: boolean
  /** A JSON patch in base64; empty when the object stays as it is. */
  patch: string
  patchType: string
  warnings: readonly string[]
  status?: Partial<Status>
}

interface Answered {
  uid?: string
  allowed?: boolean
  patch?: string
  patchType?: string
  warnings?: string[]
  status?: Partial<Status>
}

/** Expected properties of a response. */
export interface Expectation {
  uid: string
  version: ReviewVersion
  /** Only a mutating webhook may send a patch. */
  mutating: boolean
}

/** An answer that breaks the contract. */
export class InvalidReview extends Error {}

/** Reads the answer of a webhook. Throws InvalidReview in the words of kube-apiserver. */
export function readReview(answer: unknown, expected: Expectation): ReviewOutcome {
  const {
    kind = '',
    apiVersion = '',
    response,
  } = (answer ?? {}) as { kind?: string; apiVersion?: string; response?: Answered | null }
  if (!response) throw new InvalidReview('webhook response was absent')
  if (expected.version === 'v1' && (response.uid ?? '') !== expected.uid) {
    throw new InvalidReview(`expected response.uid="${expected.uid}", got "${response.uid ?? ''}"`)
  }
  checkForm(kind, apiVersion, expected.version)
  if (expected.version === 'v1') checkPatch(response, expected.mutating)
  return {
    allowed: response.allowed === true,
    patch: expected.mutating && response.patch ? response.patch : '',
    patchType: expected.version === 'v1beta1' ? 'JSONPatch' : (response.patchType ?? ''),
    warnings: Array.isArray(response.warnings) ? response.warnings.map(String) : [],
    ...(response.status && { status: response.status }),
  }
}

function checkForm(kind: string, apiVersion: string, version: ReviewVersion): void {
  if (version === 'v1beta1' && kind === '' && apiVersion === '') return
  if (kind === 'AdmissionReview' && apiVersion === `admission.k8s.io/${version}`) return
  const got = apiVersion === '' ? '/' : apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  const wanted = `admission.k8s.io/${version}, Kind=AdmissionReview`
  throw new InvalidReview(`expected webhook response of ${wanted}, got ${got}, Kind=${kind}`)
}

function checkPatch({ patch, patchType }: Answered, mutating: boolean): void {
  const typed = patchType !== undefined && patchType !== null
  if (!mutating) {
    if (patch) throw new InvalidReview('validating webhook may not return response.patch')
    if (typed) throw new InvalidReview('validating webhook may not return response.patchType')
    return
  }
  if (patch && !typed) throw new InvalidReview('webhook returned response.patch but not response.patchType')
  if (!patch && typed) throw new InvalidReview('webhook returned response.patchType but not response.patch')
  if (patchType === '') throw new InvalidReview('webhook returned invalid response.patchType of ""')
}

/** The refusal of a webhook: its status, never a success, with the webhook's name in the text. */
export function denialOf(webhook: string, given: Partial<Status> = {}): KubeError {
  const prefix = `admission webhook ${JSON.stringify(webhook)} denied the request`
  const { code = 0, reason = '', details } = given
  const detail = given.message || reason
  const message = detail ? `${prefix}: ${detail}` : `${prefix} without explanation`
  return kubeError(code < 400 ? 400 : code, reason as StatusReason, message, details)
}

/** A webhook without side-effect information must not be called for a dry run. */
export function dryRunUnsupported(webhook: string): KubeError {
  return kubeError(400, 'BadRequest', `admission webhook ${JSON.stringify(webhook)} does not support dry run`)
}

/** The refusal of a write because the call of its webhook failed. */
export function webhookFailed(webhook: string, reason: string): KubeError {
  return internalFault(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`)
}

/** 500 as kube-apiserver words it. */
export function internalFault(text: string): KubeError {
  return kubeError(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] })
}
