/** Initial bindings of the bootstrap roles. */
import { AGENT_APPROVERS, RBAC_GENERATOR } from './bootstrap-roles'
import { AUTHENTICATED, MASTERS, UNAUTHENTICATED } from './names'

/** A ClusterRoleBinding of the policy, named after its role unless it has a name of its own. */
export interface PolicyBinding {
  role: string
  name?: string
  groups?: readonly string[]
  users?: readonly string[]
}

/** Clusters that join with a bootstrap token. */
const JOINING = 'system:bootstrappers:karmada:default-cluster-token'

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
export const karmadaBindings: readonly PolicyBinding[] = [
  { role: 'cluster-proxy-admin', groups: [MASTERS] },
  { role: RBAC_GENERATOR, users: ['system:karmada:agent:rbac-generator'] },
  { role: 'system:node-bootstrapper', name: 'system:karmada:agent-bootstrap', groups: [JOINING] },
  { role: AGENT_APPROVERS.clusteragent, name: 'system:karmada:agent-autoapprove-bootstrap', groups: [JOINING] },
  {
    role: AGENT_APPROVERS.selfclusteragent,
    name: 'system:karmada:agent-autoapprove-certificate-rotation',
    groups: ['system:karmada:agents'],
  },
]
