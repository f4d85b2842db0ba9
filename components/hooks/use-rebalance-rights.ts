'use client'
import { createPlanNeeds, createRebalancerNeeds } from '@/lib/view/needs'
import { usePlansServed } from './use-about'
import { anyOf, type Right, useMay } from './use-can'

/** Whether the reader may rebalance in waves (create a RebalancePlan), and all at once (a WorkloadRebalancer). */
export function useRebalanceRights(): { inWaves: Right; atOnce: Right } {
  return { inWaves: useMay(createPlanNeeds()), atOnce: useMay(createRebalancerNeeds()) }
}

/** Whether the reader may rebalance in any way that this control plane has. */
export function useCanRebalance(): Right {
  const served = usePlansServed()
  const { inWaves, atOnce } = useRebalanceRights()
  return served ? anyOf(inWaves, atOnce) : atOnce
}
