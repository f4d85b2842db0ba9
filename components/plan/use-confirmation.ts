'use client'
import { useState } from 'react'
import type { PlanLossView } from '@/lib/view/failover-model'
import { needsConfirmation } from './loss-words'

/** Whether losses are still to be confirmed. A confirmation holds for the workloads that it named. */
export function useConfirmation(losses: readonly PlanLossView[]) {
  const [confirmed, setConfirmed] = useState<string>()
  const named = losses.map(({ id }) => id).join()
  return {
    isOpen: needsConfirmation(losses) && confirmed !== named,
    confirm: (is: boolean) => setConfirmed(is ? named : undefined),
  }
}
