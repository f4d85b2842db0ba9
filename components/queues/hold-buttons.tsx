'use client'
import type { QueueView } from '@/lib/view/queue-model'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { AskedFor } from '../status/asked-for'
import { GuardedButton } from '../ui/guarded-button'
import { useAsked } from '../status/asked'
import { useCanHoldQueue } from '../queue-actions/use-queue-permissions'

/** Hold or resume, whichever would change something; each opens its panel first. */
export function HoldButtons({ queue, quiet = false }: { queue: QueueView; quiet?: boolean }) {
  const text = useText()
  const { navigate } = useUrlState()
  const right = useCanHoldQueue(queue)
  const action = queue.hold === undefined ? 'hold' : 'resume'
  return (
    <GuardedButton
      right={right}
      variant={quiet ? 'quiet' : 'secondary'}
      small={quiet}
      aria-label={text(`queues.${action}.open`, { queue: queue.id })}
      data-action={action}
      onClick={() => navigate({ do: action, queue: queue.id })}
    >
      {text(`queues.${action}.openShort`)}
    </GuardedButton>
  )
}

/** What was requested of the hold and does not show yet. */
export function AskedOfHold({ queue }: { queue: QueueView }) {
  return <AskedFor words={useAsked().askedOf(queue.id, queue.hold)} />
}
