import type { State } from '@/lib/view/model'
import type { WhatIfTargetView, WhatIfView } from '@/lib/view/rebalance-model'

/** Outcomes, the worst first. */
export const OUTCOMES: readonly { outcome: WhatIfTargetView['outcome']; state: State }[] = [
  { outcome: 'stuck', state: 'fail' },
  { outcome: 'lost', state: 'fail' },
  { outcome: 'shrinks', state: 'warn' },
  { outcome: 'stays', state: 'held' },
  { outcome: 'moves', state: 'active' },
]

export const CAUSES: readonly WhatIfView['cause'][] = ['fails', 'drained']

/** The cause in the address; anything else is a failure. */
export function parseCause(text: string | undefined): WhatIfView['cause'] {
  return text === 'drained' ? 'drained' : 'fails'
}
