import { describe, expect, test } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import { at, sample } from '../testing/store-conformance'
import { stamp, StoredEntry } from './entry'
import { TextPages } from './text-pages'

const value = { ...sample('web', '1'), odd: { '2': 0, '1': 1e21, é: '\ud800 \u2028' } }
const written = () => stamp(at('n/web'), value, 7)
const read = () => new StoredEntry(at('n/web'), 7, written().json)

describe.each([
  ['written', written],
  ['read from the file', read],
])('an entry that was %s', (_, make) => {
  test('has the same text and object whatever it drops and wherever it keeps its text', () => {
    const { json, value: object, size } = make()
    const rng = seededRng(31)
    const pages = new TextPages()
    for (let round = 0; round < 300; round++) {
      const entry = make()
      for (let step = 0; step < 6; step++) {
        const steps = [() => entry.release(), () => entry.keepIn(pages), () => entry.leavePage(), () => entry.value]
        steps[rng.below(steps.length)]!()
        expect([entry.json, entry.size]).toEqual([json, size])
        if (rng.below(2) === 0) expect(entry.value).toEqual(object)
      }
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
  entry.keepIn(new TextPages())
  entry.leavePage()
  expect(entry.value).toBe(object)
  entry.release()
  expect(entry.value).toBe(object)
  expect(entry.mayHave('ownerReferences')).toBe(true)
})
