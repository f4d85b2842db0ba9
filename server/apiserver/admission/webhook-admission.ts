/** The way of one write past its webhooks. */
import {
  denialOf,
  dryRunUnsupported,
  type GroupVersionKind,
  type GroupVersionResource,
  internalFault,
  InvalidReview,
  readReview,
  reviewOf,
  type ReviewOutcome,
  type ReviewRequest,
  reviewVersionOf,
  webhookFailed,
} from '@/lib/kube/admission-webhooks/review'
import { KubeError } from '@/lib/kube/errors'
import type { UnknownObject } from '@/lib/kube/object'
import { applyJsonPatch, type JsonPatchOperation } from '@/lib/kube/patch'
import { keptFrom, originOf, shownIn } from '@/lib/kube/stored-form'
import { strategyOf } from '@/lib/kube/strategy'
import { deepEqual } from '@/lib/std/equal'
import type { Resource } from '../registry/resource'
import { CallFailure } from './call-failure'
import { isSelected, meetsConditions } from './eligible'
import type { Chain, AdmissionContext, Invocation, Subject, Webhook } from './webhook'

/** Calls the webhooks of one write. Rejects with the refusal of a webhook, and with 500 if a call fails. */
export interface WriteAdmission {
  /** Returns the object after the mutating webhooks, decoded and defaulted. */
  mutate(object: UnknownObject, old?: UnknownObject): Promise<UnknownObject>
  /** Calls the webhooks before a deletion. The object cannot be changed, so all webhooks only allow or deny. */
  validateDeletion(old: UnknownObject): Promise<void>
  /** Calls all validating webhooks concurrently. The first refusal in their order is reported. */
  validate(object: UnknownObject | undefined, old?: UnknownObject): Promise<void>
}

export class WebhookAdmission implements WriteAdmission {
  constructor(
    private readonly context: AdmissionContext,
    private readonly chain: Chain,
  ) {}

  async mutate(object: UnknownObject, old?: UnknownObject): Promise<UnknownObject> {
    return (await this.#runMutating({ object, old })).object as UnknownObject
  }

  async validateDeletion(old: UnknownObject): Promise<void> {
    await this.#runMutating({ object: undefined, old })
    await this.validate(undefined, old)
  }

  async validate(object: UnknownObject | undefined, old?: UnknownObject): Promise<void> {
    const name = this.context.review.name || object?.metadata.name || ''
    const outcomes = await Promise.allSettled(
      this.chain.validating.map((invocation) => this.#ask(invocation, { object, old }, { mutating: false, name })),
    )
    const refusal = outcomes.find((outcome) => outcome.status === 'rejected')
    if (refusal) throw refusal.reason
  }

  /** At most two rounds. The second calls only webhooks with `IfNeeded` whose object was changed by a later webhook. */
  async #runMutating(subject: Subject): Promise<Subject> {
    const again = new Set<Webhook>()
    const first = await this.#round(subject, again)
    return again.size === 0 ? first : this.#round(first, again, new Set(again))
  }

  async #round(subject: Subject, again: Set<Webhook>, only?: ReadonlySet<Webhook>): Promise<Subject> {
    const { name } = this.context.review
    const asked: Webhook[] = []
    let current = subject
    for (const invocation of this.chain.mutating) {
      const { webhook } = invocation
      if (only && !only.has(webhook)) continue
      const { asked: called, outcome } = await this.#ask(invocation, current, { mutating: true, name })
      if (!called) continue
      const changed = outcome ? this.#patched(invocation, current, outcome) : current
      if (changed !== current) for (const earlier of asked.splice(0)) again.add(earlier)
      current = changed
      if (webhook.definition.reinvocationPolicy === 'IfNeeded') asked.push(webhook)
    }
    return current
  }

  /** Calls a matching webhook. Rejects if it refuses, or if the call fails and the policy is Fail. */
  async #ask(
    invocation: Invocation,
    subject: Subject,
    { mutating, name }: { mutating: boolean; name: string },
  ): Promise<{ asked: boolean; outcome?: ReviewOutcome }> {
    const { webhook, resource } = invocation
    if (!isSelected(this.context, webhook, subject)) return { asked: false }
    const seen = this.#inVersion(subject, resource)
    const request = requestOf(this.context, resource, name)
    if (!meetsConditions(this.context, webhook, { ...seen, request })) return { asked: false }
    const { definition } = webhook
    if (this.context.review.dryRun && definition.sideEffects !== 'None' && definition.sideEffects !== 'NoneOnDryRun') {
      throw dryRunUnsupported(definition.name)
    }
    try {
      const complete = { ...request, object: seen.object ?? null, oldObject: seen.old ?? null }
      return { asked: true, outcome: this.#resultOf(webhook, await call(webhook, complete, mutating)) }
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (definition.failurePolicy !== 'Ignore') throw webhookFailed(definition.name, error.message)
      const fields = { webhook: definition.name, error: error.message }
      this.context.dependencies.log('warn', fields, 'a webhook could not be asked')
      return { asked: true }
    }
  }

  #resultOf({ definition }: Webhook, outcome: ReviewOutcome): ReviewOutcome {
    for (const warning of outcome.warnings) this.context.review.writer.warn(warning)
    if (!outcome.allowed) throw denialOf(definition.name, outcome.status)
    return outcome
  }

  #patched({ webhook, resource }: Invocation, subject: Subject, { patch }: ReviewOutcome): Subject {
    const operations = patch === '' ? [] : operationsOf(patch)
    if (operations.length === 0) return subject
    const { name } = webhook.definition
    if (!subject.object) {
      const why = 'attempted to modify the object, which is not supported for this operation'
      throw internalFault(`admission webhook ${JSON.stringify(name)} ${why}`)
    }
    const seen = this.#inVersion(subject, resource).object
    const changed = apply(seen, operations) as UnknownObject
    const own = this.context.place.resource
    const object = this.context.review.kind ? changed : converted(reread(resource, changed), resource, own)
    const isSame = deepEqual(object, subject.object) && deepEqual(originOf(object), originOf(subject.object))
    return isSame ? subject : { ...subject, object }
  }

  /** Converts the objects to the version that a webhook expects. */
  #inVersion({ object, old }: Subject, wanted: Resource): Subject {
    const own = this.context.place.resource
    if (wanted === own || this.context.review.kind) return { object, old }
    return { object: object && converted(object, own, wanted), old: old && converted(old, own, wanted) }
  }
}

/** An object in another version of its resource, by way of the form in which it is kept. */
function converted(object: UnknownObject, from: Resource, to: Resource): UnknownObject {
  if (from === to) return object
  return shownIn(to.kind, keptFrom(from.kind, object))
}

async function call(webhook: Webhook, request: ReviewRequest, mutating: boolean): Promise<ReviewOutcome> {
  const version = reviewVersionOf(webhook.definition.admissionReviewVersions)
  if (!version) throw new CallFailure('webhook does not accept known AdmissionReview versions (v1, v1beta1)')
  const answer = await sent(webhook, reviewOf(version, request))
  try {
    const outcome = readReview(answer, { uid: request.uid, version, mutating })
    if (outcome.patch === '' || outcome.patchType === 'JSONPatch') return outcome
    throw new CallFailure(`unsupported patch type ${JSON.stringify(outcome.patchType)}`)
  } catch (error) {
    throw error instanceof InvalidReview
      ? new CallFailure(`received invalid webhook response: ${error.message}`, { cause: error })
      : error
  }
}

async function sent({ connection }: Webhook, review: object): Promise<unknown> {
  try {
    return await connection.send(review)
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    throw new CallFailure(`failed to call webhook: ${error.message}`, { cause: error })
  }
}

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions', CONNECT: '' } as const

/** The request without the objects, as conditions see it. */
function requestOf(
  { dependencies, place, review }: AdmissionContext,
  resource: Resource,
  name: string,
): Omit<ReviewRequest, 'object' | 'oldObject'> {
  const { operation, subresource, writer, dryRun } = review
  const { caller } = writer
  const own = place.resource
  const namespace = own.id === 'namespaces' ? name : review.namespace
  const options = { kind: OPTIONS[operation], apiVersion: 'meta.k8s.io/v1', ...writer.options, ...review.options }
  return {
    uid: dependencies.uid(),
    kind: review.kind ?? kindOf(resource),
    resource: resourceOf(resource),
    ...(subresource && { subResource: subresource }),
    requestKind: review.kind ?? kindOf(own),
    requestResource: resourceOf(own),
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: {
      username: caller.user,
      ...(caller.uid && { uid: caller.uid }),
      groups: caller.groups,
      ...(caller.extra && { extra: caller.extra }),
    },
    dryRun,
    options: dryRun ? { ...options, dryRun: ['All'] } : options,
  }
}

function kindOf({ kind: { group, version, kind } }: Resource): GroupVersionKind {
  return { group, version, kind }
}

function resourceOf({ kind: { group, version, plural } }: Resource): GroupVersionResource {
  return { group, version, resource: plural }
}

function operationsOf(patch: string): JsonPatchOperation[] {
  const text = Buffer.from(patch, 'base64').toString('utf8')
  try {
    const operations: unknown = JSON.parse(text)
    if (Array.isArray(operations)) return operations as JsonPatchOperation[]
  } catch (error) {
    throw internalFault(error instanceof Error ? error.message : String(error))
  }
  throw internalFault('json: cannot unmarshal object into Go value of type jsonpatch.Patch')
}

function apply(object: unknown, operations: readonly JsonPatchOperation[]): unknown {
  try {
    return applyJsonPatch(object, operations)
  } catch (error) {
    throw error instanceof KubeError ? internalFault(error.message) : error
  }
}

/** Decodes the result of a webhook like any other body: types, unknown fields, defaults. */
function reread({ kind, apiVersion }: Resource, changed: UnknownObject): UnknownObject {
  const strategy = strategyOf(kind)
  try {
    return strategy.applyDefaults(strategy.decode({ ...changed, apiVersion, kind: kind.kind }).object)
  } catch (error) {
    throw error instanceof KubeError ? internalFault(error.message) : error
  }
}
