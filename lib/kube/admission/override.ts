/** OverridePolicy and ClusterOverridePolicy: what their webhooks fill in and refuse. */
import { textOfFindings } from '../field-error'
import { type OverridePolicy, overridePolicy } from '../kinds'
import type { UnknownObject } from '../object'
import type { KindRules } from '../rules'
import { validateOverrideSpec } from './validate-override'
import { denied, throughWebhook } from './webhook'

const WEBHOOK = 'overridepolicy.karmada.io'

/** Rules of OverridePolicy. Its selectors default to its own namespace. */
export const overridePolicyRules: KindRules = {
  mutate: (object, _old, { namespace }) => {
    const policy = throughWebhook(object, overridePolicy.schema, WEBHOOK) as unknown as OverridePolicy
    const resourceSelectors = policy.spec.resourceSelectors?.map((selector) =>
      selector.namespace || !namespace ? selector : { ...selector, namespace },
    )
    const spec = { ...policy.spec, ...(resourceSelectors && { resourceSelectors }) }
    return { ...policy, spec } as unknown as UnknownObject
  },
  review: (object) => review(object, WEBHOOK),
}

/** Rules of ClusterOverridePolicy. */
export const clusterOverridePolicyRules: KindRules = {
  review: (object) => review(object, 'clusteroverridepolicy.karmada.io'),
}

function review(object: UnknownObject, webhook: string): void {
  const problem = textOfFindings(validateOverrideSpec((object as unknown as OverridePolicy).spec))
  if (problem) throw denied(webhook, problem)
}
