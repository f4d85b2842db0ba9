import type { PlanLossView } from '@/lib/view/failover-model'
import { nameOf } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { LabelledCheckbox } from '../ui/checkbox'
import { Link } from '../ui/link'
import { lossSummary } from './loss-words'

interface LossesProps {
  losses: readonly PlanLossView[]
  confirmed: boolean
  onConfirm: (confirmed: boolean) => void
}

/** Names every workload that an action stops or leaves without a cluster; the latter need a separate confirmation. */
export function Losses({ losses, confirmed, onConfirm }: LossesProps) {
  const text = useText()
  if (losses.length === 0) return null
  const unplaced = losses.filter((loss) => loss.unplaced).map(({ ref }) => nameOf(ref))
  return (
    <section aria-label={text('plan.losses.title')} className="my-3" data-testid="plan-losses">
      <p className="flex items-center gap-2 font-medium" role="alert">
        <StateGlyph state="fail" />
        {lossSummary(text, losses)}
      </p>
      <ul className="list-disc pl-8">
        {losses.map(({ id, ref, ready, stops, reason }) => (
          <li key={id} data-testid="plan-loss" data-workload={id} data-stops={stops}>
            <Link href={href.workload(id)} className="font-medium hover:underline">
              {nameOf(ref)}
            </Link>{' '}
            {stops && <span>{text('plan.losses.ready', { ready })} </span>}
            {text.of(reason)}
          </li>
        ))}
      </ul>
      {unplaced.length > 0 && (
        <LabelledCheckbox
          label={text('plan.losses.confirm', { workloads: text.format.list(unplaced, 3) })}
          checked={confirmed}
          onCheckedChange={onConfirm}
        />
      )}
    </section>
  )
}
