import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { KubectlBlock } from '../status/kubectl-block'
import { EmptyState } from '../ui/empty-state'
import { ADD_MEMBER } from './simulation-commands'

const JOIN = 'karmadactl join'

/** No member yet: how to add one. */
export function ClustersEmpty() {
  const text = useText()
  return (
    <EmptyState title={text('clusters.empty')}>
      <p>
        <Rich code="clusters.emptyMeaning" parts={{ join: <span className="mono">{JOIN}</span> }} />
      </p>
      <KubectlBlock label={text('clusters.addCommand')} text={ADD_MEMBER} />
    </EmptyState>
  )
}
