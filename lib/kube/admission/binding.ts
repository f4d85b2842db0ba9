/** Bindings: their permanent ids, dependencies that must be readable, and when they may be suspended. */
import type { Kind } from '../kind'
import { clusterResourceBinding, resourceBinding } from '../kinds'
import { BINDING_DEPENDENCIES_ANNOTATION, BINDING_ID_LABEL, CLUSTER_BINDING_ID_LABEL } from '../names'
import type { UnknownObject } from '../object'
import type { KindRules } from '../rules'
import { refuseFalseSuspension, refuseSuspensionChange, SUSPENSION_WEBHOOK, withSuspensionWriter } from './suspension'
import { denied, throughWebhook } from './webhook'

const RB_WEBHOOK = 'resourcebinding.karmada.io'

const reviewSuspension: NonNullable<KindRules['review']> = (object, old, { upstream, writer }) => {
  if (upstream) return
  refuseSuspensionChange(object, old)
  // The detector copies fields of older policies.
  if (writer !== undefined) refuseFalseSuspension(SUSPENSION_WEBHOOK, object, old)
}

/** Rules of ResourceBinding. */
export const resourceBindingRules: KindRules = {
  mutate: identify(resourceBinding, RB_WEBHOOK, BINDING_ID_LABEL),
  review: (object, old, context) => {
    refuseUnreadableDependencies(object)
    reviewSuspension(object, old, context)
  },
}

/** Rules of ClusterResourceBinding. */
export const clusterResourceBindingRules: KindRules = {
  mutate: identify(clusterResourceBinding, 'clusterresourcebinding.karmada.io', CLUSTER_BINDING_ID_LABEL),
  review: reviewSuspension,
}

/** Sets the ID of a new binding, and records who suspends it. Karmada's webhook is not called for updates. */
function identify(kind: Pick<Kind, 'schema'>, webhook: string, label: string): KindRules['mutate'] {
  return (object, old, context) => {
    if (old) return withSuspensionWriter(object, old, context)
    const seen = withSuspensionWriter(throughWebhook(object, kind.schema, webhook), undefined, context)
    const { labels } = seen.metadata
    return labels?.[label]
      ? seen
      : { ...seen, metadata: { ...seen.metadata, labels: { ...labels, [label]: context.uid() } } }
  }
}

function refuseUnreadableDependencies(object: UnknownObject): void {
  const text = object.metadata.annotations?.[BINDING_DEPENDENCIES_ANNOTATION]
  if (text === undefined || isJson(text)) return
  throw denied(
    RB_WEBHOOK,
    `metadata.annotations.${BINDING_DEPENDENCIES_ANNOTATION}: Invalid value: ${JSON.stringify(text)}: `
      + 'annotation value must be a valid JSON',
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
