import { describe, expect, it } from 'vitest'
import type { FreshnessView } from '@/lib/view/live-client'
import type { State } from '@/lib/view/model'
import { describeFreshness, describeTrouble, shortAge } from './freshness'
import type { PauseState } from './live-connection'

const NOW = Date.parse('2026-03-01T10:00:34Z')
const running = { paused: false, held: 0 }

describe('the freshness chip', () => {
  const cases: [name: string, view: FreshnessView, pause: PauseState, chip: [label: string, state: State]][] = [
    ['is quiet while live', { word: 'Live', revision: 7 }, running, ['Live', 'ok']],
    ['says that it looks for the server', { word: 'Connecting' }, running, ['Connecting', 'active']],
    ['says that it is refused', { word: 'Refused', error: 'Log in again.' }, running, ['Refused', 'held']],
    ['says that it catches up', { word: 'Catching up' }, running, ['Catching up', 'active']],
    ['counts the seconds of staleness', { word: 'Stale', since: '2026-03-01T10:00:00Z' }, running, ['Stale 34s', 'warn']],
    ['counts the time without a connection', { word: 'Offline', since: '2026-03-01T09:48:34Z' }, running, ['Offline 12m', 'fail']],
    ['does not know since when a first connection is missing', { word: 'Offline' }, running, ['Offline', 'fail']],
    ['says a pause before anything else', { word: 'Stale' }, { paused: true, held: 12 }, ['Paused (12 held)', 'held']],
  ]
  it.each(cases)('%s', (_name, view, pause, [label, state]) => {
    expect(describeFreshness(view, pause, NOW)).toMatchObject({ label, state })
  })

  it('names the error in its sentence', () => {
    expect(describeFreshness({ word: 'Stale', error: 'connect ECONNREFUSED' }, running, NOW).detail).toContain('connect ECONNREFUSED')
  })
})

describe('the line at the foot of a page', () => {
  const since = '2026-03-01T09:48:34Z'
  const cases: [name: string, view: FreshnessView, loaded: boolean, says: string | undefined][] = [
    ['is not there while all is well', { word: 'Live' }, true, undefined],
    ['is not there while a first connection is made', { word: 'Connecting' }, false, undefined],
    ['says what the control plane answers, and since when the page is old', { word: 'Stale', since, error: 'The control plane has too much to do.' }, true,
      'The control plane has too much to do. This page shows what was known at 09:48:34 UTC. Retrying by itself.'],
    ['does not speak of what is shown where nothing is', { word: 'Stale' }, false, 'The control plane does not answer. Retrying by itself.'],
    ['says that the server of the console is away', { word: 'Offline', since, error: 'transport close' }, true,
      'The console’s server does not answer (transport close). This page shows what was known at 09:48:34 UTC. Retrying by itself.'],
    ['says that instances cannot reach each other', { word: 'Live', apart: since }, true,
      'Sign-outs on other instances of the console may arrive late here: since 09:48:34 UTC they cannot reach each other. All else works.'],
    ['says the greater trouble first', { word: 'Stale', apart: since }, false, 'The control plane does not answer. Retrying by itself.'],
  ]
  it.each(cases)('%s', (_name, view, loaded, says) => {
    expect(describeTrouble(view, loaded)?.sentence).toBe(says)
  })
})

describe('short ages', () => {
  it.each([[-5, '0s'], [59_999, '59s'], [60_000, '1m'], [3_600_000, '1h']])('%d ms is %s', (ms, text) => {
    expect(shortAge(ms)).toBe(text)
  })
})
