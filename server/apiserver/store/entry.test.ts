import { describe, expect, test } from 'vitest'
import { at, sample } from '../testing/store-conformance'
import { stamp, StoredEntry } from './entry'

const value = { ...sample('web', '1'), odd: { '2': 0, '1': 1e21, é: '\ud800 \u2028' } }
const written = () => stamp(at('n/web'), value, 7)
const read = () => new StoredEntry(at('n/web'), 7, written().json)

describe.each([
  ['written', written],
  ['read from the file', read],
])('an entry that was %s', (_, make) => {
  test('has the same text and object whichever form it drops, in any order', () => {
    const { json, value: object, size } = make()
    for (const order of [
      ['release'],
      ['releaseText'],
      ['release', 'releaseText'],
      ['releaseText', 'release'],
    ] as const) {
      const entry = make()
      for (const step of order) entry[step]()
      expect([entry.json, entry.size]).toEqual([json, size])
      expect(entry.value).toEqual(object)
      for (const step of order) entry[step]()
      expect(entry.json).toBe(json)
      expect(entry.value).toEqual(object)
    }
  })

  test('knows that it lacks a field from its text alone', () => {
    const entry = make()
    expect([entry.mayHave('odd'), entry.mayHave('ownerReferences')]).toEqual([true, false])
  })
})

test('an object that is kept parsed stays the same one without its text', () => {
  const entry = written()
  const object = entry.value
  entry.releaseText()
  expect(entry.value).toBe(object)
  entry.release()
  expect(entry.value).toBe(object)
  expect(entry.mayHave('ownerReferences')).toBe(true)
})
