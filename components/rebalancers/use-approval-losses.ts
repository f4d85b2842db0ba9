'use client'
import { useMemo } from 'react'
import type { PlanLossView } from '@/lib/view/failover-model'
import type { PlanRunView } from '@/lib/view/rebalance-model'
import { useCollection } from '../hooks/use-collection'
import { lossesOfApproval } from '../plan/loss-words'
import { useConfirmation } from '../plan/use-confirmation'

const NONE: PlanLossView[] = []

/** What an approval would cost workloads as a whole, and whether that is still to be confirmed. */
export function useApprovalLosses(plan: PlanRunView | undefined) {
  const { byId } = useCollection('workloads')
  const losses = useMemo(() => (plan ? lossesOfApproval(plan, (id) => byId.get(id)?.ready ?? 0) : NONE), [plan, byId])
  return { losses, ...useConfirmation(losses) }
}

export type ApprovalLosses = ReturnType<typeof useApprovalLosses>
