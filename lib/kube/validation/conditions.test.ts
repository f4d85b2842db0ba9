import { expect, it } from 'vitest'
import { validateConditions } from './conditions'

const ready = { type: 'Ready', status: 'True', reason: 'R', lastTransitionTime: '2020-01-01T00:00:00Z' }

it.each([
  ['one of each type', [ready, { ...ready, type: 'Other' }], []],
  ['the same type twice', [ready, ready], ['c[1].type: Duplicate value: "Ready"']],
  [
    'nothing',
    [{ type: 'Ready' }],
    [
      'c[0].status: Unsupported value: "": supported values: "False", "True", "Unknown"',
      'c[0].lastTransitionTime: Required value',
      'c[0].reason: Required value',
    ],
  ],
  [
    'a generation below zero',
    [{ ...ready, observedGeneration: -1 }],
    ['c[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero'],
  ],
])('conditions with %s', (_, conditions, expected) => {
  expect(validateConditions(conditions, 'c').map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
})
