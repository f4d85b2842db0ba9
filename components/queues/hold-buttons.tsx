'use client'
import type { QueueView } from '@/lib/view/queue-model'
import { useUrlState } from '../hooks/use-url-state'
import { AskedFor } from '../status/asked-for'
import { GuardedButton } from '../ui/guarded-button'
import { useAsked } from '../status/asked'
import { useCanHoldQueue } from './use-queue-permissions'

/** Hold… or Resume…, whichever would change something; each opens its panel first. */
export function HoldButtons({ queue, quiet = false }: { queue: QueueView; quiet?: boolean }) {
  const { navigate } = useUrlState()
  const right = useCanHoldQueue(queue)
  const act = queue.hold === undefined ? 'hold' : 'resume'
  const words = act === 'hold' ? 'Hold' : 'Resume'
  return (
    <GuardedButton
      right={right}
      variant={quiet ? 'quiet' : 'secondary'}
      small={quiet}
      aria-label={`${words} queue ${queue.id}…`}
      data-action={act}
      onClick={() => navigate({ do: act, queue: queue.id })}
    >
      {words}…
    </GuardedButton>
  )
}

/** What was asked for of the pause and does not show yet. */
export function AskedOfHold({ queue }: { queue: QueueView }) {
  return <AskedFor words={useAsked().askedOf(queue.id, queue.hold)} />
}
