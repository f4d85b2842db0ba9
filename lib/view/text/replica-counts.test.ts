import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { CellView } from '../model'
import { cellText, countNotes } from './replica-counts'

describe('a cell as a sentence', () => {
  const cell: CellView = {
    cluster: 'eu-1',
    desired: 12,
    current: 12,
    ready: 12,
    role: 'placed',
    applied: true,
    health: 'Healthy',
    state: { state: 'ok', reason: '' },
  }
  test.each<[string, CellView, boolean, string]>([
    ['healthy', cell, true, 'web in eu-1: 12 of 12 ready. Healthy'],
    [
      'silent',
      { ...cell, current: 0, ready: 0, unknown: 12, state: { state: 'unknown', reason: '' } },
      true,
      'web in eu-1: 0 of 12 ready, 12 unknown. Unknown',
    ],
    [
      'starting',
      { ...cell, current: 9, ready: 3, state: { state: 'active', reason: '' } },
      true,
      'web in eu-1: 3 of 12 ready, 9 current. Progressing',
    ],
    [
      'evicting',
      {
        ...cell,
        role: 'evicting',
        desired: 0,
        current: 0,
        ready: 0,
        old: 12,
        oldReady: 3,
        state: { state: 'active', reason: '' },
      },
      true,
      'web in eu-1: 0 of 0 ready, 12 old replicas (3 ready), evicting. Progressing',
    ],
    [
      'leaving a silent cluster',
      {
        ...cell,
        role: 'leaving',
        desired: 0,
        current: 0,
        ready: 0,
        oldUnknown: 1,
        state: { state: 'unknown', reason: '' },
      },
      true,
      'web in eu-1: 0 of 0 ready, up to 1 old unknown, being removed. Unknown',
    ],
    ['without replicas', cell, false, 'web in eu-1: scheduled. Healthy'],
  ])('%s', (_, cell, hasReplicas, text) => expect(cellText(english, 'web', cell, hasReplicas)).toBe(text))
})

test.each([
  [{}, ''],
  [{ unknown: 2 }, '2 unknown'],
  [{ unknown: 2, old: 3, oldUnknown: 1 }, '2 unknown, 3 old and 1 old unknown'],
])('the notes of %j are "%s"', (counts, notes) =>
  expect(countNotes(english, { desired: 5, current: 5, ready: 5, ...counts })).toBe(notes),
)
