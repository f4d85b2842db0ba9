'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { useKindServed } from '../hooks/use-about'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'

/** A spread and the policy that takes it along. */
const EXAMPLE = `kubectl apply -f - <<'EOF'
apiVersion: apps.kruise.io/v1beta1
kind: WorkloadSpread
metadata: { name: pools, namespace: default }
spec:
  targetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  subsets:
    - name: spot
      maxReplicas: 60%
      requiredNodeSelector: { matchExpressions: [{ key: pool, operator: In, values: [spot] }] }
    - name: rest
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: pools, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: apps.kruise.io/v1beta1, kind: WorkloadSpread, name: pools }]
  placement: { clusterAffinity: {} }
EOF`

/** No spread yet: how one comes; or none can come here. */
export function SpreadEmpty() {
  const served = useKindServed('WorkloadSpread')
  if (!served) {
    return (
      <EmptyState title="This control plane has no WorkloadSpreads">
        <p>
          Spreads appear here once the definition <span className="mono">workloadspreads.apps.kruise.io</span> (v1beta1)
          is installed in the control plane, and OpenKruise in the clusters.
        </p>
        <p>
          <Link href="/control-plane" className="link">
            What this control plane serves
          </Link>
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No spreads yet">
      <p>
        A WorkloadSpread divides the pods of a workload over parts of each cluster, the first part first. It travels to
        the clusters by a policy, like the workload; what the clusters count comes back by itself.
      </p>
      <KubectlBlock label="the command" text={EXAMPLE} />
    </EmptyState>
  )
}
