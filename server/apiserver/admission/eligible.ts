/** Filters webhooks with matching rules by selectors and match conditions. */
import { judgeConditions } from '@/lib/kube/admission-webhooks/match-conditions'
import { internalFault } from '@/lib/kube/admission-webhooks/review'
import type { UnknownObject } from '@/lib/kube/object'
import { type LabelSelectorLike, matchesRequirements, requirementsOf } from '@/lib/kube/selector'
import { forbidden, kindNotFound } from '../failures'
import type { AdmissionContext, Subject, Webhook } from './webhook'

const isEmpty = ({ matchLabels, matchExpressions }: LabelSelectorLike): boolean =>
  Object.keys(matchLabels ?? {}).length === 0 && !matchExpressions?.length

type Labels = Readonly<Record<string, string>> | undefined

function matches(selector: LabelSelectorLike, labels: Labels): boolean {
  const requirements = requirementsOf(selector)
  if (!requirements.ok) throw internalFault(requirements.error)
  return matchesRequirements(requirements.value, labels)
}

/** The labels of the namespace or of the object, as it is and as it was, satisfy the selectors. Throws 404. */
export function isSelected(inquiry: AdmissionContext, webhook: Webhook, { object, old }: Subject): boolean {
  const { namespaceSelector = {}, objectSelector = {} } = webhook.definition
  if (!isEmpty(objectSelector)) {
    const seen = [object, old].filter((state) => state !== undefined)
    if (!seen.some((state) => matches(objectSelector, state.metadata?.labels))) return false
  }
  if (isEmpty(namespaceSelector) || !isNamespaced(inquiry)) return true
  return matches(namespaceSelector, namespaceLabels(inquiry, object))
}

function isNamespaced({ place: { resource }, review }: AdmissionContext): boolean {
  return resource.id === 'namespaces' || review.namespace !== undefined
}

/**
 * Returns the labels of the namespace. For a write to the namespace itself, these are the labels of the written object.
 */
function namespaceLabels({ dependencies, place, review }: AdmissionContext, object: UnknownObject | undefined): Labels {
  const { operation, subresource } = review
  const { keyspace, resource } = place
  const isItself = resource.id === 'namespaces'
  if (isItself && object && !subresource && operation !== 'DELETE') return object.metadata.labels
  const name = isItself ? review.name : (review.namespace ?? '')
  const entry = dependencies.store.get({ keyspace: keyspace.name, resource: 'namespaces', key: name })
  if (!entry) throw kindNotFound('namespaces', name)
  return entry.value.metadata.labels
}

/** Evaluates the match conditions. If one fails, the failure policy applies: 403, or the webhook is skipped. */
export function meetsConditions(
  { place, review }: AdmissionContext,
  webhook: Webhook,
  input: Subject & { request: unknown },
): boolean {
  if (webhook.conditions.length === 0) return true
  const { object, old, request } = input
  const verdict = judgeConditions(webhook.conditions, { object, oldObject: old, request })
  if (!verdict.errors || webhook.definition.failurePolicy === 'Ignore') return verdict.matches
  const text = verdict.errors.length === 1 ? (verdict.errors[0] as string) : `[${verdict.errors.join(', ')}]`
  throw forbidden(place.resource.kind, review.name, text)
}
