'use client'
import { failoverNeeds } from '@/lib/view/needs'
import type { FailoverAction, FailoverView } from '@/lib/view/failover-model'
import { useMay } from '../hooks/use-can'
import { useUrlState } from '../hooks/use-url-state'
import { GuardedButton } from '../ui/guarded-button'
import { ACTION_WORDS } from './failover-words'
import { orderOf } from './orders'

/** What may be done to a failover; each opens its plan. */
export function FailoverActions({ failover }: { failover: Pick<FailoverView, 'actions' | 'cluster' | 'workload' | 'ref'> }) {
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
  const { navigate } = useUrlState()
  const order = orderOf({ action, cluster, workload })
  const right = useMay(order ? failoverNeeds(order) : [])
  const label = `${ACTION_WORDS[action].replace('…', '')}: ${ref ? `${ref.name} in ` : ''}${cluster}`
  const open = () => navigate({ action, in: cluster, of: workload })
  return (
    <GuardedButton right={right} variant="quiet" small aria-label={label} data-action={action} onClick={open}>
      {ACTION_WORDS[action]}
    </GuardedButton>
  )
}
