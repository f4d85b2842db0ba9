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

/** Nothing is propagated yet: how to begin. `clusters`: how many there are, as far as the reader may know. */
export function FleetEmpty({ clusters }: { clusters: number | undefined }) {
  return (
    <EmptyState title="No workloads yet">
      <p>
        A workload appears here as soon as a propagation policy selects it.{' '}
        <Members clusters={clusters} />
      </p>
      {clusters !== 0 && <KubectlBlock label="the example" text={FIRST_WORKLOAD} />}
    </EmptyState>
  )
}

function Members({ clusters }: { clusters: number | undefined }) {
  if (clusters === undefined) return <>For example:</>
  if (clusters === 0) {
    return (
      <>
        There is no member cluster either: see <Link href="/clusters" className="link">Clusters</Link>.
      </>
    )
  }
  return (
    <>
      <Link href="/clusters" className="link">
        {clusters === 1 ? '1 member cluster is' : `${clusters} member clusters are`}
      </Link>{' '}
      waiting for it. For example:
    </>
  )
}
