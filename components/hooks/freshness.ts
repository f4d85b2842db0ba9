import type { State } from '@/lib/view/model'
import type { FreshnessView } from '@/lib/view/live-client'
import type { PauseState } from './live-connection'

/** The freshness chip: a mark, a few words, and the sentence behind them. */
export interface FreshnessChipView {
  state: State
  label: string
  detail: string
}

/** The chip at `now` (milliseconds since the epoch). A pause is said first: it is what the reader asked for. */
export function describeFreshness(view: FreshnessView, pause: PauseState, now: number): FreshnessChipView {
  if (pause.paused) return { state: 'held', label: `Paused (${pause.held} held)`, detail: 'Changes wait until you resume.' }
  switch (view.word) {
    case 'Connecting':
      return { state: 'active', label: 'Connecting', detail: 'Looking for the console’s server.' }
    case 'Refused':
      return { state: 'held', label: 'Refused', detail: view.error ?? 'The server does not show this.' }
    case 'Live':
      return { state: 'ok', label: 'Live', detail: 'Every change is shown within a second.' }
    case 'Catching up':
      return { state: 'active', label: 'Catching up', detail: 'Reading what happened meanwhile.' }
    case 'Stale':
      return { state: 'warn', label: withAge('Stale', view, now), detail: because('The control plane does not answer', view) }
    case 'Offline':
      return { state: 'fail', label: withAge('Offline', view, now), detail: because('The console’s server does not answer', view) }
  }
}

function withAge(word: string, { since }: FreshnessView, now: number): string {
  return since === undefined || now === 0 ? word : `${word} ${shortAge(now - Date.parse(since))}`
}

/** `34s`, `12m`, `3h`. */
export function shortAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)}m` : `${Math.floor(seconds / 3600)}h`
}

function because(sentence: string, { error }: FreshnessView): string {
  return error === undefined ? `${sentence}; retrying.` : `${sentence} (${error}); retrying.`
}
