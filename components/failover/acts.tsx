'use client'
import type { FailoverAct, FailoverStoryView } from '@/lib/view/failover-model'
import { useUrlState } from '../hooks/use-url-state'
import { Button } from '../ui/button'
import { ACT_WORDS } from './failover-words'

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

function ActButton({ act, story: { cluster, workload, ref } }: { act: FailoverAct; story: Pick<FailoverStoryView, 'cluster' | 'workload' | 'ref'> }) {
  const { navigate } = useUrlState()
  const label = `${ACT_WORDS[act].replace('…', '')}: ${ref ? `${ref.name} in ` : ''}${cluster}`
  return (
    <Button variant="quiet" small aria-label={label} data-act={act} onClick={() => navigate({ act, in: cluster, of: workload })}>
      {ACT_WORDS[act]}
    </Button>
  )
}
