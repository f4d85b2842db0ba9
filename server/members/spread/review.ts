/** Parses and answers AdmissionReviews. */
import type { ReviewRequest } from '@/lib/kube/admission-webhooks/review'
import type { UnknownObject } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'

/** The used fields of a request. */
export type Review = Pick<
  ReviewRequest,
  'uid' | 'operation' | 'name' | 'namespace' | 'subResource' | 'dryRun' | 'object' | 'oldObject'
>

/** Allowed; with `object`, as changed to that object. */
export interface Verdict {
  object?: UnknownObject
}

/** Denied, with this message. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** The answer to a review. */
export function answerTo({ uid, object }: Review, verdict: Verdict): object {
  const operations = verdict.object ? changesBetween(object as UnknownObject, verdict.object) : []
  const patch = operations.length > 0 && {
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  }
  return { uid, allowed: true, ...patch }
}

/** The answer when a review was refused. */
export function refusalOf({ uid }: Review, { code, message }: Refusal): object {
  return { uid, allowed: false, status: { code, message } }
}

/** Labels, annotations and spec, each as a whole. */
function changesBetween(before: UnknownObject, after: UnknownObject): object[] {
  const parts: [string, unknown, unknown][] = [
    ['/metadata/labels', before.metadata.labels, after.metadata.labels],
    ['/metadata/annotations', before.metadata.annotations, after.metadata.annotations],
    ['/spec', before.spec, after.spec],
  ]
  return parts
    .filter(([, old, value]) => value !== undefined && !deepEqual(old, value))
    .map(([path, , value]) => ({ op: 'add', path, value }))
}
