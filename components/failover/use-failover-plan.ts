'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FailoverOrder } from '@/lib/view/actions'
import type { FailoverPlanView } from '@/lib/view/failover-model'
import { ActionFailure, runFailoverAction, planFailover } from '../hooks/actions'
import { useRightsAgain } from '../hooks/use-can'

/**
 * Fetches a plan and sends its order. The order carries the version that the reader saw; if the object has changed
 * since, the new plan replaces the old one and the reader must confirm again.
 */
export function useFailoverPlan(order: FailoverOrder, onAsked: (plan: FailoverPlanView) => void) {
  const query = useQuery({
    queryKey: ['failover-plan', order],
    queryFn: ({ signal }) => planFailover(order, signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const [renewed, setRenewed] = useState<{ order: FailoverOrder; plan: FailoverPlanView }>()
  const isRenewed = renewed?.order === order
  const plan = isRenewed ? renewed.plan : query.data
  const rightsAgain = useRightsAgain()
  const ask = useMutation({
    mutationFn: async () => {
      if (plan === undefined) throw new Error('There is no plan to ask for')
      await runFailoverAction({ base: plan.base, order })
      return plan
    },
    onSuccess: onAsked,
    onError: (error) => {
      rightsAgain(error)
      if (isOutdated(error)) setRenewed({ order, plan: error.plan as FailoverPlanView })
    },
  })
  return {
    plan,
    isRenewed,
    error: query.error ?? (isOutdated(ask.error) ? null : ask.error),
    ask: () => ask.mutate(),
    asking: ask.isPending,
  }
}

function isOutdated(error: unknown): error is ActionFailure {
  return error instanceof ActionFailure && error.reason === 'PlanOutdated' && error.plan !== undefined
}
