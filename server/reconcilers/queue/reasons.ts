/** `source.component` and reasons of events. */
import type { QueueStep } from '@/lib/domain/queue'

export const COMPONENT = 'evenkeel-queue'

/** Returns the event for a step; undefined for bookkeeping. */
export function newsOf({ act, reason }: QueueStep): { type: 'Normal' | 'Warning'; reason: string } | undefined {
  switch (act) {
    case 'Release':
    case 'Resume':
      return { type: 'Normal', reason: 'Released' }
    case 'Suspend':
      return suspended(reason.code)
    case 'HandOver':
      return { type: 'Normal', reason: 'HandedOver' }
    case 'EndHold':
      return { type: 'Normal', reason: 'HoldEnded' }
    default:
      return undefined
  }
}

function suspended(code: string): { type: 'Normal' | 'Warning'; reason: string } {
  if (code === 'SlippedThrough') return { type: 'Warning', reason: 'SlippedThrough' }
  if (code === 'Undone') return { type: 'Warning', reason: 'HoldUndone' }
  return { type: 'Normal', reason: 'Held' }
}
