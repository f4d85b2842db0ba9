'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { useText } from '../messages/use-text'
import { EmptyState } from '../ui/empty-state'

/** A spread and the policy that propagates it. */
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

/** Explains how to create the first spread. */
export function SpreadEmpty() {
  const text = useText()
  return (
    <EmptyState title={text('spread.none')}>
      <p>{text('spread.noneBody')}</p>
      <KubectlBlock label={text('spread.command')} text={EXAMPLE} />
    </EmptyState>
  )
}
