'use client'
import { failoverNeeds } from '@/lib/view/needs'
import type { FailoverAction, FailoverView } from '@/lib/view/failover-model'
import { useMay } from '../hooks/use-can'
import { navigate } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { GuardedButton } from '../ui/guarded-button'
import { orderOf } from './orders'

/** What may be done to a failover; each opens its plan. */
export function FailoverActions({
  failover,
}: {
  failover: Pick<FailoverView, 'actions' | 'cluster' | 'workload' | 'ref'>
}) {
  return (
    <span className="flex justify-end gap-1">
      {failover.actions.map((action) => (
        <ActionButton key={action} action={action} failover={failover} />
      ))}
    </span>
  )
}

interface ActionButtonProps {
  action: FailoverAction
  failover: Pick<FailoverView, 'cluster' | 'workload' | 'ref'>
}

function ActionButton({ action, failover: { cluster, workload, ref } }: ActionButtonProps) {
  const text = useText()
  const order = orderOf({ action, cluster, workload })
  const right = useMay(order ? failoverNeeds(order) : [])
  const words = text(`failover.order.${action}`)
  const label = ref
    ? text('failover.actionOnWorkload', { action: words, workload: ref.name, cluster })
    : text('failover.actionOnCluster', { action: words, cluster })
  const open = () => navigate({ action, in: cluster, of: workload })
  return (
    <GuardedButton right={right} variant="quiet" small aria-label={label} data-action={action} onClick={open}>
      {text(`failover.actions.${action}`)}
    </GuardedButton>
  )
}
