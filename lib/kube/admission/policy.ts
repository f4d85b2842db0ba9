/** PropagationPolicy and ClusterPropagationPolicy: what their webhooks fill in and refuse. */
import { FAILOVER_DEFAULTS } from '../failover-defaults'
import { textOfFindings } from '../field-error'
import { clusterPropagationPolicy, propagationPolicy, type PropagationPolicy, type PropagationSpec } from '../kinds'
import { CLUSTER_POLICY_FINALIZER, CLUSTER_POLICY_ID_LABEL, POLICY_FINALIZER, POLICY_ID_LABEL } from '../names'
import type { UnknownObject } from '../object'
import { presentPurgeMode } from '../purge-mode'
import type { KindRules, WriteContext } from '../rules'
import { completePlacement } from './complete-placement'
import { refuseFalseSuspension } from './suspension'
import { validatePropagationSpec } from './validate-policy'
import { denied, throughWebhook } from './webhook'

const SERVICE_IMPORT = { apiVersion: 'multicluster.x-k8s.io/v1alpha1', kind: 'ServiceImport' }

interface Flavour {
  kind: typeof propagationPolicy
  webhook: string
  idLabel: string
  finalizer: string
  namespaced: boolean
}

const namespacedFlavour: Flavour = {
  kind: propagationPolicy,
  webhook: 'propagationpolicy.karmada.io',
  idLabel: POLICY_ID_LABEL,
  finalizer: POLICY_FINALIZER,
  namespaced: true,
}

const clusterFlavour: Flavour = {
  kind: clusterPropagationPolicy,
  webhook: 'clusterpropagationpolicy.karmada.io',
  idLabel: CLUSTER_POLICY_ID_LABEL,
  finalizer: CLUSTER_POLICY_FINALIZER,
  namespaced: false,
}

/** Rules of PropagationPolicy. */
export const propagationPolicyRules = rulesOf(namespacedFlavour)
/** Rules of ClusterPropagationPolicy. */
export const clusterPropagationPolicyRules = rulesOf(clusterFlavour)

function rulesOf(flavour: Flavour): KindRules {
  return {
    mutate: (object, old, context) => {
      if (!context.upstream) refuseWithoutDecision(flavour.webhook, object)
      return mutatePolicy(flavour, { object, old, context })
    },
    review: (object, old, context) => {
      const problem = problemWithPolicy(
        flavour,
        object as unknown as PropagationPolicy,
        old as PropagationPolicy | undefined,
      )
      if (problem) throw denied(flavour.webhook, problem)
      if (!context.upstream) refuseFalseSuspension(flavour.webhook, object, old)
    },
  }
}

/** The webhook's type would default the field before the schema requires it, as in Karmada. */
function refuseWithoutDecision(webhook: string, { spec }: UnknownObject): void {
  const { failover } = (spec ?? {}) as { failover?: { application?: { decisionConditions?: unknown } } | null }
  const application = failover?.application
  if (typeof application !== 'object' || application === null || application.decisionConditions) return
  throw denied(webhook, 'spec.failover.application.decisionConditions: Required value')
}

interface Write {
  object: UnknownObject
  old: UnknownObject | undefined
  context: WriteContext
}

function mutatePolicy(flavour: Flavour, { object, old, context }: Write): UnknownObject {
  const policy = throughWebhook(object, flavour.kind.schema, flavour.webhook) as unknown as PropagationPolicy
  const namespace = flavour.namespaced ? context.namespace : undefined
  const spec = completeSpec(policy.spec, { namespace, upstream: context.upstream === true })
  const { metadata } = policy
  const identified = old
    ? metadata
    : {
        ...metadata,
        labels: { ...metadata.labels, [flavour.idLabel]: context.uid() },
        finalizers: [...new Set([...(metadata.finalizers ?? []), flavour.finalizer])],
      }
  return { ...policy, metadata: identified, spec } as unknown as UnknownObject
}

/** The spec as the webhook completes it. `namespace` is given to selectors that have none. */
function completeSpec(
  spec: PropagationSpec,
  { namespace, upstream }: { namespace: string | undefined; upstream: boolean },
): PropagationSpec {
  const { failover, resourceSelectors } = spec
  return {
    ...spec,
    // An absent list stays null, for the schema to refuse.
    resourceSelectors:
      resourceSelectors
      && resourceSelectors.map((selector) =>
        selector.namespace || !namespace ? selector : { ...selector, namespace },
      ),
    placement: completePlacement(spec.placement ?? {}),
    ...(resourceSelectors?.some(isServiceImport) && { propagateDeps: true }),
    ...(failover?.application && {
      failover: { ...failover, application: completeFailover(failover.application, upstream) },
    }),
  }
}

/** Upstream does not know the names under which the modes were proposed. */
function completeFailover(application: Application, upstream: boolean): Application {
  const mode = upstream ? application.purgeMode : presentPurgeMode(application.purgeMode)
  if (mode !== 'Gracefully' || application.gracePeriodSeconds !== undefined) return application
  return { ...application, gracePeriodSeconds: FAILOVER_DEFAULTS.gracePeriodSeconds }
}

type Application = NonNullable<NonNullable<PropagationSpec['failover']>['application']>

function isServiceImport({ apiVersion, kind }: { apiVersion: string; kind: string }): boolean {
  return kind === SERVICE_IMPORT.kind && apiVersion === SERVICE_IMPORT.apiVersion
}

/** Why the validating webhook refuses a policy, in its words; undefined when it does not. */
function problemWithPolicy(
  flavour: Flavour,
  policy: PropagationPolicy,
  old: PropagationPolicy | undefined,
): string | undefined {
  const id = policy.metadata.labels?.[flavour.idLabel]
  if (old) {
    if (policy.spec.schedulerName !== old.spec.schedulerName) return 'the schedulerName should not be updated'
    if (id !== old.metadata.labels?.[flavour.idLabel]) {
      return `label ${flavour.idLabel} is immutable, it can only be set by the system during creation`
    }
  }
  if (!id)
    return `label ${flavour.idLabel} is required, it should be set by the mutating admission webhook during creation`
  return textOfFindings(
    validatePropagationSpec(policy.spec, flavour.namespaced ? policy.metadata.namespace : undefined),
  )
}
