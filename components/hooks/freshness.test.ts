import { describe, expect, it } from 'vitest'
import type { FreshnessView } from '@/lib/view/live-client'
import type { State } from '@/lib/view/model'
import { english } from '@/lib/messages/english'
import { describeFreshness, describeTrouble } from './freshness'
import type { PauseState } from './live-connection'

const NOW = Date.parse('2026-03-01T10:00:34Z')
const running = { paused: false, held: 0 }

describe('the freshness chip', () => {
  const cases: [name: string, view: FreshnessView, pause: PauseState, chip: [label: string, state: State]][] = [
    ['is quiet while live', { word: 'Live', revision: 7 }, running, ['Live', 'ok']],
    ['says that it looks for the server', { word: 'Connecting' }, running, ['Connecting', 'active']],
    ['says that it is refused', { word: 'Refused', error: 'Log in again.' }, running, ['Unavailable', 'held']],
    ['says that it reconnects', { word: 'Reconnecting' }, running, ['Reconnecting', 'active']],
    [
      'counts the seconds of staleness',
      { word: 'Stale', since: '2026-03-01T10:00:00Z' },
      running,
      ['Stale 34 s', 'warn'],
    ],
    [
      'counts the time without a connection',
      { word: 'Offline', since: '2026-03-01T09:48:34Z' },
      running,
      ['Offline 12 m', 'fail'],
    ],
    ['does not know since when a first connection is missing', { word: 'Offline' }, running, ['Offline', 'fail']],
    [
      'says a pause before anything else',
      { word: 'Stale' },
      { paused: true, held: 12 },
      ['Paused (12 changes)', 'held'],
    ],
  ]
  it.each(cases)('%s', (_name, view, pause, [label, state]) => {
    expect(describeFreshness(english, { view, pause, now: NOW })).toMatchObject({ label, state })
  })

  it('names the error in its sentence', () => {
    expect(
      describeFreshness(english, { view: { word: 'Stale', error: 'connect ECONNREFUSED' }, pause: running, now: NOW })
        .detail,
    ).toContain('connect ECONNREFUSED')
  })
})

describe('the line at the foot of a page', () => {
  const since = '2026-03-01T09:48:34Z'
  const cases: [name: string, view: FreshnessView, loaded: boolean, says: string | undefined][] = [
    ['is not there while all is well', { word: 'Live' }, true, undefined],
    ['is not there while a first connection is made', { word: 'Connecting' }, false, undefined],
    [
      'says what the control plane answers, and since when the page is old',
      { word: 'Stale', since, error: 'The control plane has too much to do.' },
      true,
      'The control plane has too much to do. This page shows data from 09:48:34 UTC. Retrying automatically.',
    ],
    [
      'does not speak of what is shown where nothing is',
      { word: 'Stale' },
      false,
      'The control plane does not respond. Retrying automatically.',
    ],
    [
      'says that the server of the console is away',
      { word: 'Offline', since, error: 'transport close' },
      true,
      'The Evenkeel server does not respond (transport close). This page shows data from 09:48:34 UTC. Retrying automatically.',
    ],
    [
      'says that instances cannot reach each other',
      { word: 'Live', apart: since },
      true,
      'Instances of Evenkeel have been unable to reach each other since 09:48:34 UTC. Sign-outs on other instances may take effect late here; everything else works.',
    ],
    [
      'says the greater trouble first',
      { word: 'Stale', apart: since },
      false,
      'The control plane does not respond. Retrying automatically.',
    ],
  ]
  it.each(cases)('%s', (_name, view, loaded, says) => {
    expect(describeTrouble(english, view, loaded)?.sentence).toBe(says)
  })
})
