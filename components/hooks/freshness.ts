import type { Text } from '@/lib/messages'
import type { State } from '@/lib/view/model'
import type { FreshnessView } from '@/lib/view/live-client'
import type { PauseState } from './live-connection'

/** The freshness chip: a mark, a few words, and the sentence behind them. */
export interface FreshnessChipView {
  state: State
  label: string
  detail: string
}

interface Freshness {
  view: FreshnessView
  pause: PauseState
  /** Milliseconds since the epoch; 0 while the server renders. */
  now: number
}

const STATES: Record<FreshnessView['word'], State> = {
  Connecting: 'active',
  Refused: 'held',
  Live: 'ok',
  Reconnecting: 'active',
  Stale: 'warn',
  Offline: 'fail',
}

/** Reports whether shown data may be outdated: no message for too long, or no connection. */
export const isOutdated = ({ word }: Pick<FreshnessView, 'word'>): boolean => word === 'Stale' || word === 'Offline'

/** Describes the freshness chip. A pause has precedence, because the reader requested it. */
export function describeFreshness(text: Text, { view, pause, now }: Freshness): FreshnessChipView {
  if (pause.paused)
    return {
      state: 'held',
      label: text('shell.freshness.paused', { n: pause.held }),
      detail: text('shell.freshness.pausedDetail'),
    }
  const word = text(`shell.freshness.${view.word}`)
  const age = view.since === undefined || now === 0 ? undefined : now - Date.parse(view.since)
  return {
    state: STATES[view.word],
    label: isOutdated(view) && age !== undefined ? text('shell.freshness.aged', { word, age: { ms: age } }) : word,
    detail: [
      detailOf(text, view),
      isOutdated(view) && text('shell.freshness.retrying'),
      view.revision !== undefined && text('shell.freshness.revision', { n: view.revision }),
    ]
      .filter(Boolean)
      .join(' '),
  }
}

function detailOf(text: Text, view: FreshnessView): string {
  switch (view.word) {
    case 'Connecting':
      return text('shell.freshness.connectingDetail')
    case 'Refused':
      return view.error ?? text('shell.freshness.refusedDetail')
    case 'Live':
      return text('shell.freshness.liveDetail')
    case 'Reconnecting':
      return text('shell.freshness.reconnectingDetail')
    case 'Stale':
      return view.error ?? text('shell.freshness.silent')
    case 'Offline':
      return offlineBecause(text, view)
  }
}

/** Describes the problem of a page's data, for the end of the page. `loaded`: the page has data. */
export function describeTrouble(
  text: Text,
  view: FreshnessView,
  loaded: boolean,
): { state: State; sentence: string } | undefined {
  const isTrouble = view.word === 'Stale' || (view.word === 'Offline' && (loaded || view.error !== undefined))
  if (isTrouble) {
    const sentences = [detailOf(text, view), loaded && shownFrom(text, view), text('shell.freshness.retrying')]
    return { state: STATES[view.word], sentence: sentences.filter(Boolean).join(' ') }
  }
  return view.apart === undefined
    ? undefined
    : { state: 'unknown', sentence: text('shell.freshness.apart', { time: { time: view.apart } }) }
}

const shownFrom = (text: Text, { since }: FreshnessView): string =>
  since === undefined
    ? text('shell.freshness.shownBefore')
    : text('shell.freshness.shownFrom', { time: { time: since } })

const offlineBecause = (text: Text, { error }: FreshnessView): string =>
  error === undefined ? text('shell.freshness.noServer') : text('shell.freshness.noServerBecause', { error })
