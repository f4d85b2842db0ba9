import { expect, test } from 'vitest'
import type { Resource } from './resource'
import { selectionOf } from './selection'

const ask = (query: string): boolean =>
  selectionOf({ custom: true, kind: { selectableFields: [] } } as unknown as Resource, new URLSearchParams(query))
    .everything

test('a field without a name that is to be empty narrows no list of custom objects', () => {
  expect(ask('fieldSelector=%3D')).toBe(true)
  expect(ask('fieldSelector=%3D&labelSelector=a')).toBe(false)
  expect(ask('fieldSelector=metadata.name%3Da')).toBe(false)
})
