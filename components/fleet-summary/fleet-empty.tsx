import type { ReactNode } from 'react'
import { useText } from '../messages/use-text'
import { KubectlBlock } from '../status/kubectl-block'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'

const FIRST_WORKLOAD = `kubectl apply -f - <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: hello
  namespace: default
spec:
  replicas: 6
  selector:
    matchLabels: { app: hello }
  template:
    metadata:
      labels: { app: hello }
    spec:
      containers:
        - name: hello
          image: nginx
          resources:
            requests: { cpu: 100m, memory: 64Mi }
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata:
  name: hello
  namespace: default
spec:
  resourceSelectors:
    - { apiVersion: apps/v1, kind: Deployment, name: hello }
  placement:
    replicaScheduling:
      replicaSchedulingType: Divided
      replicaDivisionPreference: Weighted
      weightPreference: { dynamicWeight: AvailableReplicas }
EOF`

/** Explains how to begin when no resource is propagated. `clusters`: their number, as far as the reader may know it. */
export function FleetEmpty({ clusters }: { clusters: number | undefined }) {
  const text = useText()
  return (
    <EmptyState title={text('fleet.empty')}>
      <p>
        {text('fleet.emptyMeaning')} <Members clusters={clusters} />
      </p>
      {clusters !== 0 && <KubectlBlock label={text('fleet.exampleLabel')} text={FIRST_WORKLOAD} />}
    </EmptyState>
  )
}

function Members({ clusters }: { clusters: number | undefined }) {
  const text = useText()
  if (clusters === undefined) return text('fleet.emptyExample')
  const link = (parts: ReactNode[]) => (
    <Link key="link" href="/clusters" className="link">
      {parts}
    </Link>
  )
  return clusters === 0
    ? text.rich('fleet.emptyNoClusters', { link })
    : text.rich('fleet.emptyClusters', { link, n: clusters })
}
