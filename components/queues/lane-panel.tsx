'use client'
import type { QueueView } from '@/lib/view/queue-model'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { useCanEditQueue, useCanHoldQueue, useCanReorder } from '../queue-actions/use-queue-permissions'
import { Ago } from '../status/ago'
import { WorkloadName } from '../status/workload-name'
import { Button } from '../ui/button'
import { GuardedButton } from '../ui/guarded-button'
import { demandWords, estimateWords } from './queue-texts'

/** The selected workload: its reason, and what would let it in; each opens its own preview first. */
export function LanePanel({ queue, id }: { queue: QueueView; id: string }) {
  const text = useText()
  const { navigate, tweak } = useUrlState()
  const detail = useCollection(`queue/${queue.id}`).byId.get(queue.id)
  const pending = detail?.pendingWorkloads.find((each) => each.id === id)
  const rights = { edit: useCanEditQueue(queue), hold: useCanHoldQueue(queue), order: useCanReorder(queue) }
  const open = (action: string) => () => navigate({ do: action, queue: queue.id, of: id })
  return (
    <aside
      aria-label={text('lanes.selected')}
      className="flex shrink-0 flex-col gap-2 border-line bg-raised px-6 py-4 max-wide:border-t wide:w-80 wide:border-l"
      data-testid="lane-panel"
      data-workload={id}
    >
      {pending === undefined ? (
        <p>{text('lanes.gone')}</p>
      ) : (
        <>
          <p className="text-ink-2">{text('lanes.position', { position: pending.position, queue: queue.id })}</p>
          <h2 className="text-section break-words">
            <WorkloadName id={pending.id} workload={pending.ref} />
          </h2>
          <p>{demandWords(text, pending.demand)}</p>
          <p className="text-ink-2">
            <Ago time={pending.since} />
          </p>
          <p data-testid="lane-reason">{text.of(pending.message)}</p>
          <p data-testid="lane-estimate">{text('lanes.estimate', { estimate: estimateWords(text, pending) })}</p>
          <h3 className="mt-2 text-section">{text('lanes.try')}</h3>
          <div className="flex flex-col items-start gap-2">
            <GuardedButton right={rights.order} onClick={open('release')}>
              {text('lanes.admit')}
            </GuardedButton>
            {queue.hold && (
              <GuardedButton right={rights.hold} onClick={open('resume')}>
                {text('lanes.resume')}
              </GuardedButton>
            )}
            <GuardedButton right={rights.edit} onClick={open('edit')}>
              {text('lanes.quota')}
            </GuardedButton>
            <GuardedButton right={rights.order} onClick={open('class')}>
              {text('lanes.priority')}
            </GuardedButton>
          </div>
        </>
      )}
      <Button variant="quiet" className="self-start" onClick={() => tweak({ of: undefined, queue: undefined })}>
        {text('lanes.close')}
      </Button>
    </aside>
  )
}
