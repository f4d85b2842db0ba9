'use client'
import { createPlanNeeds, createRebalancerNeeds } from '@/lib/view/needs'
import { useText } from '../messages/use-text'
import { usePlansServed, useRebalancesServed } from './use-about'
import { anyOf, type Right, useMay } from './use-can'

/**
 * Whether the reader may rebalance in waves (create a RebalancePlan), and all at once (a WorkloadRebalancer). Neither is
 * possible on a control plane whose scheduler knows no requests.
 */
export function useRebalanceRights(): { inWaves: Right; atOnce: Right } {
  const text = useText()
  const isServed = useRebalancesServed()
  const rights = { inWaves: useMay(createPlanNeeds()), atOnce: useMay(createRebalancerNeeds()) }
  if (isServed) return rights
  const none = { allowed: false, known: true, reason: text('access.rebalancesNotServed') }
  return { inWaves: none, atOnce: none }
}

/** Whether the reader may rebalance in any way that this control plane has. */
export function useCanRebalance(): Right {
  const served = usePlansServed()
  const { inWaves, atOnce } = useRebalanceRights()
  return served ? anyOf(inWaves, atOnce) : atOnce
}
