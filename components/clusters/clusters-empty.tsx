import { KubectlBlock } from '../status/kubectl-block'
import { EmptyState } from '../ui/empty-state'
import { ADD_MEMBER } from './simulation-commands'

/** No member yet: how one comes. */
export function ClustersEmpty() {
  return (
    <EmptyState title="No clusters yet">
      <p>
        On your own control plane, members appear here when they join it (<span className="mono">karmadactl join</span>
        ). On the embedded one, a Cluster object with a number of nodes is a simulated member:
      </p>
      <KubectlBlock label="the command" text={ADD_MEMBER} />
    </EmptyState>
  )
}
