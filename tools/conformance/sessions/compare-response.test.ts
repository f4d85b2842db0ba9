import { describe, expect, it } from 'vitest'
import { compareResponse } from './compare-response'
import type { Bindings } from './placeholders'
import type { RecordedResponse, RecordedStep } from './recorded-case'
import type { Received } from './requests'

function compare(
  expected: Partial<RecordedResponse>,
  actual: Partial<Received> & { type?: string },
  step: Partial<RecordedStep> = {},
) {
  const bindings: Bindings = {
    values: new Map([
      ['u', 'x1'],
      ['ns', 'ex-x1'],
    ]),
  }
  const { type = 'application/json', ...rest } = actual
  const headers = rest.headers ?? new Headers({ 'content-type': type })
  const received: Received = { status: 200, headers, text: '', body: undefined, ...rest }
  return compareResponse({ id: '1', ...step }, { status: 200, ...expected }, received, bindings)
}

const UID = '11111111-1111-4111-8111-111111111111'
const OTHER = '22222222-1111-4111-8111-111111111111'
const TIME = '2026-01-02T03:04:05Z'

describe('bodies that count as the same', () => {
  it.each([
    ['placeholders of a form', { a: '{{time}}', b: '{{listrv}}', c: 'x-{{ns}}' }, { a: TIME, b: '7', c: 'x-ex-x1' }],
    ['one uid under one placeholder', { a: '{{uid:1}}', b: '{{uid:1}}' }, { a: UID, b: UID }],
    ['another hash of the storage version', { storageVersionHash: 'a=' }, { storageVersionHash: 'b=' }],
    ['another address', { clusterIP: '10.0.0.1' }, { clusterIP: '10.9.9.9' }],
    ["another decoder's words", { message: 'bad: json parse error: x' }, { message: 'bad: json parse error: y' }],
    [
      'causes in another order',
      { details: { causes: [{ field: 'a' }, { field: 'b' }] } },
      { details: { causes: [{ field: 'b' }, { field: 'a' }] } },
    ],
    [
      'another binding that allows',
      { reason: 'RBAC: allowed by RoleBinding "a"' },
      { reason: 'RBAC: allowed by RoleBinding "b"' },
    ],
    ['fields in another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
    [
      'resources of a custom group in another order',
      {
        kind: 'APIResourceList',
        resources: [
          { name: 'a', verbs: ['delete'] },
          { name: 'b', verbs: ['get'] },
        ],
      },
      {
        kind: 'APIResourceList',
        resources: [
          { name: 'b', verbs: ['get'] },
          { name: 'a', verbs: ['delete'] },
        ],
      },
    ],
  ])('%s', (_, body, actual) => {
    expect(compare({ body }, { body: actual })).toBeUndefined()
  })
})

describe('bodies that differ', () => {
  it.each([
    ['a field too many', {}, { a: 1 }, '/a: 1 should not be there'],
    ['a field too few', { a: 1 }, {}, '/a is missing'],
    ['an empty list for none', {}, { items: [] }, '/items'],
    ['one uid under two placeholders', { a: '{{uid:1}}', b: '{{uid:2}}' }, { a: UID, b: UID }, '/b'],
    ['two uids under one placeholder', { a: '{{uid:1}}', b: '{{uid:1}}' }, { a: UID, b: OTHER }, '/b'],
    ['no uid', { a: '{{uid:1}}' }, { a: 'id' }, '/a'],
    ['a fraction of a second', { a: '{{time}}' }, { a: '2026-01-02T03:04:05.123Z' }, '/a'],
    ['an address for none', { clusterIP: 'None' }, { clusterIP: '10.0.0.1' }, '/clusterIP'],
    ['the part before the words of a decoder', { message: 'a: strconv.x' }, { message: 'b: strconv.x' }, '/message'],
    ['a list in another order', { items: [1, 2] }, { items: [2, 1] }, '/items/0'],
    [
      'an item that is newer than its list',
      { metadata: { resourceVersion: '{{listrv}}' }, items: [{ metadata: { resourceVersion: '{{rv:1}}' } }] },
      { metadata: { resourceVersion: '4' }, items: [{ metadata: { resourceVersion: '5' } }] },
      'newer than its list',
    ],
  ])('%s', (_, body, actual, text) => {
    expect(compare({ body }, { body: actual })).toContain(text)
  })

  it('in values declared unstable are no difference', () => {
    const bodies = [{ body: { a: { b: 1 } } }, { body: { a: { b: 2 } } }] as const
    expect(compare(...bodies)).toContain('/a/b')
    expect(compare(...bodies, { unstable: ['/body/a/b'] })).toBeUndefined()
  })

  it('in managed fields count only where they were kept', () => {
    const bodies = [{ body: { metadata: {} } }, { body: { metadata: { managedFields: [] } } }] as const
    expect(compare(...bodies)).toBeUndefined()
    expect(compare(...bodies, { keepManagedFields: true })).toContain('/metadata/managedFields')
  })
})

describe('headers', () => {
  const json = 'application/json'
  it.each([
    [
      'the parameters of a media type are free',
      { 'Content-Type': `${json}; a=b` },
      { 'content-type': json },
      undefined,
    ],
    ['another media type', { 'Content-Type': json }, { 'content-type': 'text/plain' }, 'Content-Type'],
    ['a warning that was not recorded', {}, { warning: '299 - "x"' }, 'Warning'],
    [
      'warnings in another order',
      { Warning: ['299 - "a"', '299 - "b"'] },
      { warning: '299 - "b", 299 - "a"' },
      'Warning',
    ],
    ['advice to retry that was not recorded', {}, { 'retry-after': '1' }, 'Retry-After'],
    ['another hash', { Etag: '"A"' }, { etag: '"B"' }, undefined],
    ['no hash', { Etag: '"A"' }, {}, 'Etag'],
  ])('%s', (_, recorded, sent, text) => {
    const found = compare({ headers: recorded as never, body: {} }, { body: {}, headers: new Headers(sent as never) })
    if (text === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(text)
  })
})

describe('a watch', () => {
  const added = { type: 'ADDED', object: { a: 1 } }
  const bookmark = (rv: string, annotations?: object) => ({
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: rv, ...(annotations && { annotations }) } },
  })
  const initialEnd = (rv: string) => bookmark(rv, { 'k8s.io/initial-events-end': 'true' })
  it.each([
    ['plain bookmarks come as they like', [added], [added, bookmark('9')], undefined],
    ['the end of the initial events comes at any revision', [initialEnd('3')], [initialEnd('4')], undefined],
    ['the end of the initial events comes once', [initialEnd('3')], [initialEnd('3'), initialEnd('4')], '/events'],
    ['an event is missing', [added], [], '/events'],
    ['an event has another type', [added], [{ ...added, type: 'MODIFIED' }], '/events/0/type'],
  ])('%s', (_, recorded, received, text) => {
    const end = 'server closed'
    const found = compare({ events: recorded, end }, { events: received, end }, { op: 'watch' })
    if (text === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(text)
  })

  it('ends by the same side', () => {
    const found = compare({ events: [], end: 'server closed' }, { events: [], end: 'client timeout' }, { op: 'watch' })
    expect(found).toContain('end: client timeout instead of server closed')
  })

  it('that is refused is compared like any other answer', () => {
    const step = { op: 'watch' as const }
    const end = 'not a stream'
    expect(compare({ events: [], end, text: 'a' }, { events: [], end, text: 'b' }, step)).toContain('/text')
  })
})

describe('shapes and parts', () => {
  it.each([
    [{ a: '<str>' }, { a: 'x' }, undefined],
    [{ a: '<int>' }, { a: 1.5 }, '/a: no <int>'],
    [{ a: '<NoneType>' }, { a: null }, undefined],
    [{ a: ['<str>'] }, { a: ['x', 1] }, '/a/1: no <str>'],
    [{}, { a: 1 }, '/a should not be there'],
    [{ a: '<str>' }, {}, '/a is missing'],
  ])('%j against %j', (bodyShape, body, text) => {
    const found = compare({ bodyShape }, { body })
    if (text === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(text)
  })

  it('compares only named fields, and checks that absent ones are missing', () => {
    expect(compare({ bodyParts: { '/a': 1, '/b': '<absent>' } }, { body: { a: 1, c: 2 } })).toBeUndefined()
    expect(compare({ bodyParts: { '/b': '<absent>' } }, { body: { b: 2 } })).toContain('/b')
  })

  it('of health checks are free but for their last line', () => {
    const text = '[+]ping ok\nhealthz check passed\n'
    expect(compare({ text }, { text: '[+]store ok\n[+]x ok\nhealthz check passed\n' })).toBeUndefined()
    expect(compare({ text }, { text: '[+]ping ok\nfailed\n' })).toContain('/text')
  })
})

it('a condition that was awaited must be reached', () => {
  expect(compare({ reached: true, body: {} }, { reached: false, body: {} })).toContain('not reached')
})
