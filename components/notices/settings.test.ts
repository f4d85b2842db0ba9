import { expect, test } from 'vitest'
import { message } from '@/lib/messages/message'
import type { Notice, NoticeEvent } from '@/lib/view/notices/notices'
import { parseSettings } from './settings'
import { newNotices, parseDelivered } from './delivered'
import { tonesOf } from './tones'

const NONE = { notifications: false, sound: 'off', volume: 50 }

test.each([
  [null, NONE],
  ['', NONE],
  ['[', NONE],
  ['null', NONE],
  ['[1]', NONE],
  ['{"notifications":"yes","sound":"drum","volume":1e9}', NONE],
  ['{"notifications":true,"sound":"chime","volume":0}', { notifications: true, sound: 'chime', volume: 0 }],
  ['{"sound":"siren","volume":33.4,"more":1}', { notifications: false, sound: 'siren', volume: 33 }],
  ['{"volume":-1}', NONE],
  ['{"volume":null}', NONE],
])('what is kept as %s is read as valid settings', (text, expected) => {
  expect(parseSettings(text)).toEqual(expected)
})

test('a sound of what is over differs from that of what begins', () => {
  for (const sound of ['chime', 'beeps', 'siren'] as const) {
    const [began, ended] = [tonesOf(sound, false), tonesOf(sound, true)]
    expect(began.every(({ hertz, seconds }) => hertz > 100 && seconds > 0.05)).toBe(true)
    expect(ended).not.toEqual(began)
  }
})

const notice = (incident: string, event: NoticeEvent): Notice => ({
  id: `${incident} ${event}`,
  event,
  at: '2026-11-22T03:00:00Z',
  incident: { key: incident, kind: 'cluster', id: incident, since: '', requested: false, state: '', blocked: 0 },
  text: message('notices.test'),
})

test('a notice is delivered once, and only the latest of simultaneous ones of one incident', () => {
  const first = newNotices([], [notice('a', 'IncidentBegan'), notice('b', 'IncidentBegan')])
  expect(first.deliver.map(({ id }) => id)).toEqual(['a IncidentBegan', 'b IncidentBegan'])
  const next = newNotices(first.delivered, [
    notice('a', 'IncidentBegan'),
    notice('c', 'IncidentBegan'),
    notice('c', 'IncidentEnded'),
  ])
  expect(next.deliver.map(({ id }) => id)).toEqual(['c IncidentEnded'])
  expect(newNotices(next.delivered, [notice('c', 'IncidentBegan')]).deliver).toEqual([])
})

test('delivered ids are read from any stored value, and are limited', () => {
  expect([null, '{', '{}', '[1,"a",null]'].map(parseDelivered)).toEqual([[], [], [], ['a']])
  const many = Array.from({ length: 2_000 }, (_, index) => `n${index}`)
  expect(parseDelivered(JSON.stringify(many))).toHaveLength(500)
})
