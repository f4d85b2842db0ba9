/** Rules of Karmada's webhooks and its aggregated API server. */
import { ownField } from '@/lib/std/fields'
import type { Kind } from '../kind'
import { DELETION_PROTECTED_ALWAYS, DELETION_PROTECTED_LABEL } from '../names'
import type { UnknownObject } from '../object'
import type { KindRules } from '../rules'
import { clusterResourceBindingRules, resourceBindingRules } from './binding'
import { clusterRules } from './cluster'
import { clusterTaintPolicyRules } from './cluster-taint-policy'
import { federatedResourceQuotaRules } from './federated-resource-quota'
import { multiClusterServiceRules } from './multi-cluster-service'
import { clusterOverridePolicyRules, overridePolicyRules } from './override'
import { clusterPropagationPolicyRules, propagationPolicyRules } from './policy'
import { denied } from './webhook'
import { workRules } from './work'

const rules: Readonly<Record<string, KindRules>> = {
  Cluster: clusterRules,
  ClusterOverridePolicy: clusterOverridePolicyRules,
  ClusterPropagationPolicy: clusterPropagationPolicyRules,
  ClusterResourceBinding: clusterResourceBindingRules,
  ClusterTaintPolicy: clusterTaintPolicyRules,
  FederatedResourceQuota: federatedResourceQuotaRules,
  MultiClusterService: multiClusterServiceRules,
  OverridePolicy: overridePolicyRules,
  PropagationPolicy: propagationPolicyRules,
  ResourceBinding: resourceBindingRules,
  Work: workRules,
}

/** The rules of a Karmada kind; undefined for any other. */
export function admissionRules(kind: Pick<Kind, 'kind' | 'group'>): KindRules | undefined {
  return kind.group.endsWith('karmada.io') ? ownField(rules, kind.kind) : undefined
}

/** Throws (403) when the object carries the label that protects it from deletion. */
export function reviewDeletion(object: UnknownObject): void {
  if (object.metadata.labels?.[DELETION_PROTECTED_LABEL] !== DELETION_PROTECTED_ALWAYS) return
  throw denied(
    'resourcedeletionprotection.karmada.io',
    `This resource is protected, please make sure to remove the label: ${DELETION_PROTECTED_LABEL}`,
  )
}
