/** Bindings and policies, as failover reads them. */
import type { BindingSpec, BindingStatus } from '../../kube/kinds/binding'

/** ResourceBinding and ClusterResourceBinding alike. */
export interface FailoverBinding {
  kind: string
  metadata: {
    name: string
    namespace?: string
    generation?: number
    labels?: Record<string, string>
    annotations?: Record<string, string>
    creationTimestamp?: string
    deletionTimestamp?: string
  }
  spec: BindingSpec
  status?: BindingStatus
}

/** What of a policy counts besides what its bindings copy. */
export interface PolicyWords {
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> }
}
