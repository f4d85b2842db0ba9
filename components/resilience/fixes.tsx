'use client'
import type { FixView, LossesView } from '@/lib/view/rebalance-model'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'

/** Changes that make the losses cost less, the best first, with where each is made. */
export function Fixes({ losses: { fixes, withoutFailoverPolicy, cluster, region, zone } }: { losses: LossesView }) {
  const text = useText()
  const isNeeded = [cluster, region, zone].some(({ losses, survived }) => survived < losses)
  if (!isNeeded) return null
  return (
    <section aria-label={text('resilience.fixes')} data-testid="fixes">
      <h2 className="text-section">{text('resilience.fixes')}</h2>
      <p className="text-ink-2">
        {fixes === undefined && text('resilience.fixes.pending')}
        {fixes && text(fixes.length > 0 ? 'resilience.fixes.hint' : 'resilience.fixes.none')}
      </p>
      <ol>
        {fixes?.map((fix) => (
          <FixItem key={JSON.stringify(fix.change)} fix={fix} />
        ))}
      </ol>
      {withoutFailoverPolicy > 0 && (
        <p className="mt-1 text-ink-2" data-testid="without-failover-policy" data-count={withoutFailoverPolicy}>
          {text('resilience.fixes.withoutPolicy', { n: withoutFailoverPolicy })}
        </p>
      )}
    </section>
  )
}

function FixItem({ fix: { change, effect, worse, policy, edit, workload, survived } }: { fix: FixView }) {
  const text = useText()
  return (
    <li className="border-b border-line py-2 break-words" data-testid="fix" data-survived={survived}>
      <p className="font-medium">{text.of(change)}</p>
      <p className="text-ink-2">
        {text.of(effect)} {worse !== undefined && text('resilience.fix.worse', { n: worse })}
      </p>
      {policy !== undefined && edit && (
        <Link href={href.policy(policy, { view: 'lab', edit: JSON.stringify(edit) })} className="link">
          {text('resilience.fix.lab')}
        </Link>
      )}
      {workload !== undefined && (
        <Link href={href.workload(workload)} className="link">
          {text('resilience.fix.workload')}
        </Link>
      )}
    </li>
  )
}
