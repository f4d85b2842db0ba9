'use client'
import { KubectlBlock } from '../status/kubectl-block'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

const FIRST_QUEUE = `kubectl apply -f - <<'EOF'
apiVersion: evenkeel.io/v1alpha1
kind: Queue
metadata:
  name: team-a
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

/** There is no queue yet: what a queue does, and how to create one. */
export function NoQueues() {
  const text = useText()
  const { navigate } = useUrlState()
  return (
    <EmptyState title={text('queues.none.title')}>
      <p>{text('queues.none.explanation')}</p>
      <p>
        <Button variant="primary" onClick={() => navigate({ do: 'new' })}>
          {text('queues.new.open')}
        </Button>
      </p>
      <p>{text('queues.none.orKubectl')}</p>
      <KubectlBlock label={text('queues.action.kubectlLabel')} text={FIRST_QUEUE} />
    </EmptyState>
  )
}
