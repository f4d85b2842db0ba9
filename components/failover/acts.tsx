'use client'
import { failoverNeeds } from '@/lib/view/needs'
import type { FailoverAct, FailoverStoryView } from '@/lib/view/failover-model'
import { useMay } from '../hooks/use-can'
import { useUrlState } from '../hooks/use-url-state'
import { GuardedButton } from '../ui/guarded-button'
import { ACT_WORDS } from './failover-words'
import { orderOf } from './orders'

/** What may be done to a story; each opens its plan. */
export function StoryActs({ story }: { story: Pick<FailoverStoryView, 'acts' | 'cluster' | 'workload' | 'ref'> }) {
  return (
    <span className="flex justify-end gap-1">
      {story.acts.map((act) => (
        <ActButton key={act} act={act} story={story} />
      ))}
    </span>
  )
}

interface ActButtonProps {
  act: FailoverAct
  story: Pick<FailoverStoryView, 'cluster' | 'workload' | 'ref'>
}

function ActButton({ act, story: { cluster, workload, ref } }: ActButtonProps) {
  const { navigate } = useUrlState()
  const order = orderOf({ act, cluster, workload })
  const right = useMay(order ? failoverNeeds(order) : [])
  const label = `${ACT_WORDS[act].replace('…', '')}: ${ref ? `${ref.name} in ` : ''}${cluster}`
  const open = () => navigate({ act, in: cluster, of: workload })
  return (
    <GuardedButton right={right} variant="quiet" small aria-label={label} data-act={act} onClick={open}>
      {ACT_WORDS[act]}
    </GuardedButton>
  )
}
