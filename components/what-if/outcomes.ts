import type { State } from '@/lib/view/model'
import type { WhatIfTargetView, WhatIfView } from '@/lib/view/rebalance-model'

/** Outcomes, the most troubled first. */
export const OUTCOMES: readonly {
  outcome: WhatIfTargetView['outcome']
  state: State
  word: string
  meaning: string
}[] = [
  { outcome: 'stuck', state: 'fail', word: 'Nowhere', meaning: 'No place is found, and nothing of it runs elsewhere.' },
  {
    outcome: 'lost',
    state: 'fail',
    word: 'Paused',
    meaning: 'Its scheduling is paused, so nothing replaces what is lost.',
  },
  { outcome: 'shrinks', state: 'warn', word: 'Shrinks', meaning: 'It goes on elsewhere with fewer replicas.' },
  { outcome: 'stays', state: 'held', word: 'Waits', meaning: 'It tolerates the taint and waits for the cluster.' },
  { outcome: 'moves', state: 'active', word: 'Moves', meaning: 'All its replicas find another place.' },
]

export const CAUSES: readonly { value: WhatIfView['cause']; label: string }[] = [
  { value: 'fails', label: 'it fails: stops answering' },
  { value: 'drained', label: 'it is drained on purpose' },
]

/** The cause in the address; anything else is a failure. */
export function parseCause(text: string | undefined): WhatIfView['cause'] {
  return text === 'drained' ? 'drained' : 'fails'
}
