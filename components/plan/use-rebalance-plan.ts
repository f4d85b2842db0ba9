'use client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Message } from '@/lib/messages'
import type { Rollout } from '@/lib/view/actions'
import type { WorkloadRef } from '@/lib/view/model'
import type { RebalancePlanView } from '@/lib/view/rebalance-model'
import { ActionFailure, createPlan, createRebalancer, planRebalance } from '../hooks/actions'
import { useRightsAgain } from '../hooks/use-can'
import { planChanges } from './plan-diff'

interface PlanOptions {
  targets: readonly WorkloadRef[]
  /** In waves; undefined: at once. */
  rollout: Rollout | undefined
  onCreated: (name: string, plan: RebalancePlanView) => void
}

interface Application {
  /** Seconds that the record is kept after the end; undefined keeps it. */
  ttl: number | undefined
  /** Of the object; undefined: one is made up. */
  name: string | undefined
}

/**
 * A preview and its application. Applying sends the base that the user saw. When the fleet changed since, nothing is
 * applied: the new preview replaces the old one, with the differences, until the user applies that one.
 */
export function useRebalancePlan({ targets, rollout, onCreated }: PlanOptions) {
  const query = useQuery({
    queryKey: ['plan', targets, rollout],
    queryFn: ({ signal }) => planRebalance({ targets: [...targets], ...(rollout && { rollout }) }, signal),
    enabled: targets.length > 0,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const [outdated, setOutdated] = useState<{
    plan: RebalancePlanView
    targets: readonly WorkloadRef[]
    rollout: Rollout | undefined
    changes: Message[]
  }>()
  // A response for another rollout or other targets is not valid for these.
  const renewed = outdated?.targets === targets && outdated.rollout === rollout ? outdated : undefined
  // Without targets no request is sent, and the previous plan must not be applied.
  const plan = targets.length === 0 ? undefined : (renewed?.plan ?? query.data)
  const rightsAgain = useRightsAgain()
  const apply = useMutation({
    mutationFn: async ({ ttl, name: wanted }: Application) => {
      if (plan === undefined) throw new Error('There is no plan to apply')
      const body = {
        targets: plan.targets.map((target) => target.ref),
        base: plan.base,
        ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }),
        ...(wanted !== undefined && { name: wanted }),
      }
      const { name } = await (rollout ? createPlan({ ...body, rollout }) : createRebalancer(body))
      return { name, plan }
    },
    onSuccess: (created) => onCreated(created.name, created.plan),
    onError: (error) => {
      rightsAgain(error)
      if (
        !(error instanceof ActionFailure)
        || error.reason !== 'PlanOutdated'
        || error.plan === undefined
        || plan === undefined
      )
        return
      const renewed = error.plan as RebalancePlanView
      setOutdated({ plan: renewed, targets, rollout, changes: planChanges(plan, renewed) })
    },
  })
  const recompute = () => {
    setOutdated(undefined)
    apply.reset()
    void query.refetch()
  }
  const applyError = apply.error instanceof ActionFailure && apply.error.reason === 'PlanOutdated' ? null : apply.error
  return {
    plan,
    recompute,
    computing: query.isFetching,
    changes: renewed?.changes,
    error: query.error ?? applyError,
    apply: (how: Application) => apply.mutate(how),
    applying: apply.isPending,
  }
}
