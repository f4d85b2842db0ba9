import { describe, expect, it, test } from 'vitest'
import { difference, differenceBelow, type FieldSet, has, intersection, pathsOf, sorted, union } from './field-set'
import { sortElements, normalElement, showPath } from './path-element'

const A: FieldSet = { 'f:a': {} }
const A_B: FieldSet = { 'f:a': { 'f:b': {} } }
const A_AND_B: FieldSet = { 'f:a': { '.': {}, 'f:b': {} } }
const A_B_C: FieldSet = { 'f:a': { 'f:b': {}, 'f:c': {} } }

describe('sets of fields', () => {
  test.each<[string, FieldSet, FieldSet]>([
    ['a field and one below it', union(A, A_B), A_AND_B],
    ['the same set twice', union(A_AND_B, A_AND_B), A_AND_B],
    ['nothing and something', union({}, A_B), A_B],
    ['two fields of one parent', union(A_B, { 'f:a': { 'f:c': {} } }), A_B_C],
  ])('the union of %s', (_, set, expected) => expect(set).toEqual(expected))

  test.each<[string, FieldSet, FieldSet]>([
    ['has a field only when both do', intersection(A_B_C, A_B), A_B],
    ['does not take a parent for its child', intersection(A, A_B), {}],
    ['keeps the parent when both have it', intersection(A_AND_B, A), A],
  ])('an intersection %s', (_, set, expected) => expect(set).toEqual(expected))

  test.each<[string, FieldSet, FieldSet]>([
    ['leaves a child when its parent goes', difference(A_AND_B, A), A_B],
    ['leaves the parent when its child goes', difference(A_AND_B, A_B), A],
    ['leaves nothing of the same set', difference(A_B_C, A_B_C), {}],
    ['takes the child along when asked to', differenceBelow(A_AND_B, A), {}],
    ['takes nothing along for a child', differenceBelow(A_B_C, A_B), { 'f:a': { 'f:c': {} } }],
  ])('a difference %s', (_, set, expected) => expect(set).toEqual(expected))

  it('distinguishes a parent in the set from one that only leads to others', () => {
    expect([has(A_B, ['f:a']), has(A_AND_B, ['f:a']), has(A_B, ['f:a', 'f:b']), has(A_B, ['f:a', 'f:x'])]).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('returns the same set when nothing changes, so that identity shows equality', () => {
    expect(difference(A_B, { 'f:x': {} })).toBe(A_B)
    expect(union(A_B, {})).toBe(A_B)
  })

  it('lists the fields of a node before what is deeper, in their order', () => {
    const set: FieldSet = {
      'f:z': {},
      'f:ports': { 'k:{"port":443}': {}, 'k:{"port":80}': { '.': {}, 'f:name': {} } },
      'f:s': { 'v:"b"': {}, 'v:"a"': {} },
    }
    expect(pathsOf(set, sortElements).map(showPath)).toEqual([
      '.z',
      '.ports[port=80]',
      '.ports[port=443]',
      '.ports[port=80].name',
      '.s[="a"]',
      '.s[="b"]',
    ])
  })

  it('writes its fields in one order, independent of insertion', () => {
    const set = sorted({ 'f:b': {}, 'f:a': { 'f:d': {}, '.': {}, 'f:c': {} } }, sortElements)
    expect(JSON.stringify(set)).toBe('{"f:a":{".":{},"f:c":{},"f:d":{}},"f:b":{}}')
  })
})

test.each<[string, string | undefined]>([
  ['f:any:thing', 'f:any:thing'],
  ['k:{"protocol":"TCP", "port":80}', 'k:{"port":80,"protocol":"TCP"}'],
  ['v: 1', 'v:1'],
  ['i:-1', 'i:-1'],
  ['i:x', undefined],
  ['k:[]', undefined],
  ['v:{', undefined],
  ['x:a', undefined],
  ['', undefined],
])('a client may write %j as %j', (element, expected) => expect(normalElement(element)).toBe(expected))
