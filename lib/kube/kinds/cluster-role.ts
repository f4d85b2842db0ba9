import { defineKind, type ObjectOf } from '../kind'
import { type Infer, object } from '../schema'
import { labelSelector } from './affinity'
import { atomicList, atomicStrings } from './lists'

/** `rbac.v1.PolicyRule`: verbs on resources or on paths. */
export const policyRule = object(
  {
    apiGroups: atomicStrings(),
    nonResourceURLs: atomicStrings(),
    resourceNames: atomicStrings(),
    resources: atomicStrings(),
    verbs: atomicStrings(),
  },
  { required: ['verbs'] },
)

/** Rights that can be granted everywhere. */
export const clusterRole = defineKind({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  scope: 'Cluster',
  origin: 'builtin',
  fields: object({
    aggregationRule: object({ clusterRoleSelectors: atomicList(labelSelector) }),
    rules: atomicList(policyRule),
  }),
})

export type ClusterRole = ObjectOf<typeof clusterRole>
export type PolicyRule = Infer<typeof policyRule>
