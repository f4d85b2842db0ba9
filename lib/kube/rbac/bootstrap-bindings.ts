/** Who has the bootstrap roles from the first start. */
import { AUTHENTICATED, MASTERS, UNAUTHENTICATED } from './names'

/** A ClusterRoleBinding of the policy, named after its role. */
export interface PolicyBinding {
  role: string
  groups?: readonly string[]
  users?: readonly string[]
}

/** In the control plane and in every member. */
export const bootstrapBindings: readonly PolicyBinding[] = [
  { role: 'cluster-admin', groups: [MASTERS] },
  { role: 'system:discovery', groups: [AUTHENTICATED] },
  { role: 'system:basic-user', groups: [AUTHENTICATED] },
  { role: 'system:public-info-viewer', groups: [AUTHENTICATED, UNAUTHENTICATED] },
  { role: 'system:well-known-viewer', groups: [AUTHENTICATED] },
  { role: 'system:service-account-issuer-discovery', groups: ['system:serviceaccounts'] },
  { role: 'system:monitoring', groups: ['system:monitoring'] },
  { role: 'system:node-proxier', users: ['system:kube-proxy'] },
]

/** Only where Karmada's kinds are. */
export const karmadaBindings: readonly PolicyBinding[] = [{ role: 'cluster-proxy-admin', groups: [MASTERS] }]
