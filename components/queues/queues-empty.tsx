'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { useUrlState } from '../hooks/use-url-state'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

const FIRST_QUEUE = `kubectl apply -f - <<'EOF'
apiVersion: evenkeel.io/v1alpha1
kind: Queue
metadata:
  name: line
  namespace: default
spec:
  strategy: BestEffortFIFO
  priorityClasses:
    - { name: urgent, value: 1000 }
    - { name: normal, value: 0, default: true }
  quota:
    hard: { cpu: "4", memory: 8Gi }
    borrowingLimit: { cpu: "2" }
  maxInFlight: 5
EOF`

/** There is no queue yet: what one does, and how to begin. */
export function NoQueues() {
  const { navigate } = useUrlState()
  return (
    <EmptyState title="No queues yet">
      <p>
        Without a queue every workload goes to the scheduler at once. A queue makes new workloads of its namespaces
        wait, and releases them in order, as far as quota and fair share allow; it can also be put on hold.
      </p>
      <p>
        <Button variant="primary" onClick={() => navigate({ do: 'new' })}>
          New queue…
        </Button>
      </p>
      <p>Or with kubectl:</p>
      <KubectlBlock label="the example" text={FIRST_QUEUE} />
    </EmptyState>
  )
}
