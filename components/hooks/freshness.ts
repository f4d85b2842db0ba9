import { formatTimeOfDay } from '@/lib/format'
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
  if (pause.paused)
    return { state: 'held', label: `Paused (${pause.held} held)`, detail: 'Changes wait until you resume.' }
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
      return {
        state: 'warn',
        label: withAge('Stale', view, now),
        detail: `${view.error ?? SILENT} Retrying by itself.`,
      }
    case 'Offline':
      return {
        state: 'fail',
        label: withAge('Offline', view, now),
        detail: because('The console’s server does not answer', view),
      }
  }
}

const SILENT = 'The control plane does not answer.'

/** What stands at the foot of a page while something is wrong with what it shows. `loaded`: it shows something. */
export function describeTrouble(view: FreshnessView, loaded: boolean): { state: State; sentence: string } | undefined {
  const known = loaded
    ? ` This page shows what was known${view.since === undefined ? '' : ` at ${formatTimeOfDay(view.since)} UTC`}.`
    : ''
  if (view.word === 'Stale') return { state: 'warn', sentence: `${view.error ?? SILENT}${known} Retrying by itself.` }
  if (view.word === 'Offline' && (loaded || view.error !== undefined)) {
    const why = view.error === undefined ? '' : ` (${view.error})`
    return { state: 'fail', sentence: `The console’s server does not answer${why}.${known} Retrying by itself.` }
  }
  return view.apart === undefined ? undefined : { state: 'unknown', sentence: apartSince(view.apart) }
}

const apartSince = (time: string): string =>
  `Sign-outs on other instances of the console may arrive late here: since ${formatTimeOfDay(time)} UTC they cannot reach each other. All else works.`

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
