import { describe, expect, it, test } from 'vitest'
import { KubeError } from '../errors'
import { clusterRole, configMap, deployment, event, priorityClass, replicationController } from '../kinds'
import { eventV1 } from '../kinds/event-v1'
import { compareValues } from './compare'
import { fieldsOf } from './fields-of'
import { mergeValues } from './merge'
import { removeFields } from './remove'
import {
  applyFields,
  type Author,
  findMismatches,
  LEAF,
  type ManagedFieldsEntry,
  objectTypeOf,
  type Owners,
  ownUpdate,
  readEntries,
  shown,
  zeroObject,
} from './index'
import { widget } from './testing'

const type = objectTypeOf(widget)
const VERSION = 'ex.test/v1'
const reader = { typeIn: (version: string) => (version === VERSION ? type : undefined), ignored: LEAF }
const NOW = '2026-01-01T00:00:00Z'
const LATER = '2026-01-01T00:01:00Z'
const by = (manager: string, operation: 'Apply' | 'Update' = 'Apply', now = NOW): Author => ({
  manager,
  operation,
  apiVersion: VERSION,
  now,
})
const spec = (fields: object): { spec: object } => ({ spec: fields })

describe('the fields that a value mentions', () => {
  test.each<[string, object, object]>([
    ['leaves under fields that the schema names', { a: '1', b: '2' }, { 'f:a': {}, 'f:b': {} }],
    ['a null', { a: null }, { 'f:a': {} }],
    ['an empty map', { labels: {} }, { 'f:labels': {} }],
    ['entries of a map', { labels: { x: '1' } }, { 'f:labels': { 'f:x': {} } }],
    ['a map that is owned as a whole', { one: { x: '1' } }, { 'f:one': {} }],
    ['a list that is owned as a whole', { atoms: ['x', 'y'] }, { 'f:atoms': {} }],
    ['the items of a set', { set: ['x', 'y'] }, { 'f:set': { 'v:"x"': {}, 'v:"y"': {} } }],
    [
      'items by their keys, each with its fields',
      { items: [{ name: 'n', v: '1' }] },
      { 'f:items': { 'k:{"name":"n"}': { '.': {}, 'f:name': {}, 'f:v': {} } } },
    ],
    ['an empty list of items', { items: [] }, {}],
    [
      'what has no schema, lists as a whole',
      { free: { a: { b: [1] } } },
      { 'f:free': { 'f:a': { '.': {}, 'f:b': {} } } },
    ],
  ])('are %s', (_, fields, expected) => {
    expect(fieldsOf(spec(fields), type)).toEqual(Object.keys(expected).length > 0 ? { 'f:spec': expected } : {})
  })

  it('are told apart by the zero of a key that a typed server fills in', () => {
    const container = { image: 'x' }
    const object = spec({ template: { spec: { containers: [container] } } })
    expect(JSON.stringify(fieldsOf(object, objectTypeOf(deployment)))).toContain('k:{\\"name\\":\\"\\"}')
  })

  it('have the default of a key that is left out', () => {
    const ports = [{ containerPort: 80 }]
    const object = spec({ template: { spec: { containers: [{ name: 'c', ports }] } } })
    const set = JSON.stringify(fieldsOf(object, objectTypeOf(deployment)))
    expect(set).toContain('k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}')
  })
})

describe('comparing two states', () => {
  test.each<[string, [live: object, next: object], [touched: object, removed: object]]>([
    ['a changed leaf', [{ a: '1' }, { a: '2' }], [{ 'f:a': {} }, {}]],
    ['a new leaf', [{}, { a: '2' }], [{ 'f:a': {} }, {}]],
    ['a leaf that is gone', [{ a: '1', b: '1' }, { b: '1' }], [{}, { 'f:a': {} }]],
    ['a new map with what is in it', [{}, { labels: { x: '1' } }], [{ 'f:labels': { '.': {}, 'f:x': {} } }, {}]],
    [
      'a new entry of a map',
      [{ labels: { x: '1' } }, { labels: { x: '1', y: '2' } }],
      [{ 'f:labels': { 'f:y': {} } }, {}],
    ],
    ['an entry in place of null', [{ labels: null }, { labels: { x: '1' } }], [{ 'f:labels': { 'f:x': {} } }, {}]],
    ['a list in another order', [{ atoms: ['x', 'y'] }, { atoms: ['y', 'x'] }], [{ 'f:atoms': {} }, {}]],
    ['nothing in a set in another order', [{ set: ['x', 'y'] }, { set: ['y', 'x'] }], [{}, {}]],
    [
      'an item of a set',
      [{ set: ['x'] }, { set: ['y'] }],
      [{ 'f:set': { 'v:"y"': {} } }, { 'f:set': { 'v:"x"': {} } }],
    ],
    [
      'a field of an item',
      [{ items: [{ name: 'n', v: '1' }] }, { items: [{ name: 'n', v: '2' }] }],
      [{ 'f:items': { 'k:{"name":"n"}': { 'f:v': {} } } }, {}],
    ],
    [
      'an item that comes twice now',
      [{ items: [{ name: 'n', v: '1' }] }, { items: [{ name: 'n' }, { name: 'n' }] }],
      [
        { 'f:items': { 'k:{"name":"n"}': {} } },
        { 'f:items': { 'k:{"name":"n"}': { '.': {}, 'f:name': {}, 'f:v': {} } } },
      ],
    ],
    [
      'a scalar in place of an object',
      [{ free: { a: { b: 1 } } }, { free: { a: 1 } }],
      [{ 'f:free': { 'f:a': {} } }, { 'f:free': { 'f:a': { 'f:b': {} } } }],
    ],
  ])('finds %s', (_, [live, next], [touched, removed]) => {
    const within = (set: object): object => (Object.keys(set).length > 0 ? { 'f:spec': set } : {})
    const base = { keep: '1' }
    expect(compareValues(spec({ ...base, ...live }), spec({ ...base, ...next }), type)).toEqual({
      touched: within(touched),
      removed: within(removed),
    })
  })
})

describe('laying a configuration over an object', () => {
  test.each<[string, object, object, object]>([
    ['adds and replaces leaves', { a: '1', b: '1' }, { b: '2' }, { a: '1', b: '2' }],
    ['merges maps', { labels: { x: '1' } }, { labels: { y: '2' } }, { labels: { x: '1', y: '2' } }],
    ['replaces an atomic map', { one: { x: '1' } }, { one: { y: '2' } }, { one: { y: '2' } }],
    ['replaces an atomic list', { atoms: ['x'] }, { atoms: ['y'] }, { atoms: ['y'] }],
    ['adds to a set', { set: ['x'] }, { set: ['y'] }, { set: ['x', 'y'] }],
    ['keeps a map where null is applied', { labels: { x: '1' } }, { labels: null }, { labels: { x: '1' } }],
    ['keeps a list where an empty one is applied', { set: ['x'] }, { set: [] }, { set: ['x'] }],
    [
      'puts items in the order of the configuration',
      { items: [{ name: 'n1', v: '1' }] },
      { items: [{ name: 'n2' }, { name: 'n1', w: 'w' }] },
      { items: [{ name: 'n2' }, { name: 'n1', v: '1', w: 'w' }] },
    ],
    [
      'keeps an item before the one it came before',
      { set: ['x', 'a', 'b'] },
      { set: ['b', 'a'] },
      { set: ['x', 'b', 'a'] },
    ],
    [
      'keeps items after those they came after',
      { set: ['a', 'x', 'b'] },
      { set: ['a', 'new', 'b'] },
      { set: ['a', 'x', 'new', 'b'] },
    ],
  ])('%s', (_, live, config, expected) => {
    expect(mergeValues(spec(live), spec(config), type)).toEqual(spec(expected))
  })
})

test.each<[string, object, object, unknown]>([
  ['a leaf', { a: '1', b: '1' }, { 'f:a': {} }, { b: '1' }],
  [
    'an item',
    { items: [{ name: 'n' }, { name: 'm' }] },
    { 'f:items': { 'k:{"name":"n"}': {} } },
    { items: [{ name: 'm' }] },
  ],
  [
    'a field of an item',
    { items: [{ name: 'n', v: '1' }] },
    { 'f:items': { 'k:{"name":"n"}': { 'f:v': {} } } },
    { items: [{ name: 'n' }] },
  ],
  [
    'the last entry of a map, which stays empty',
    { a: '1', labels: { x: '1' } },
    { 'f:labels': { 'f:x': {} } },
    { a: '1', labels: {} },
  ],
])('removing takes away %s', (_, value, set, expected) => {
  expect(removeFields(spec(value), { 'f:spec': set as never }, type)).toEqual(spec(expected as object))
})

describe('a configuration is refused', () => {
  test.each<[string, object, string]>([
    ['with a field that is unknown', { zzz: 1 }, '.spec.zzz: field not declared in schema'],
    ['with a value of another type', { a: true }, '.spec.a: expected string, got &value.valueUnstructured{Value:true}'],
    ['with an item twice', { set: ['q', 'q'] }, '.spec.set: duplicate entries for key [="q"]'],
    [
      'with an item without its key',
      { items: [{ v: '1' }] },
      '.spec.items: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    ],
    [
      'with null in a set',
      { set: [null] },
      ".spec.set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      'for all reasons at once',
      { a: 1, b: 2 },
      'errors:\n  .spec.a: expected string, got &value.valueUnstructured{Value:1}\n  .spec.b: expected string, got &value.valueUnstructured{Value:2}',
    ],
  ])('%s', (_, config, finding) => expect(findMismatches(spec(config), type)).toBe(finding))

  it('but not for nulls', () => {
    expect(findMismatches(spec({ a: null, items: null, labels: { x: null } }), type)).toBeUndefined()
  })
})

/** An object and its owners, changed one write after the other. */
class Scenario {
  object: unknown = {}
  owners: Owners = []

  apply(manager: string, config: object, { force = false, now = NOW } = {}): this {
    const applied = applyFields({
      ...reader,
      live: this.object,
      config,
      owners: this.owners,
      author: by(manager, 'Apply', now),
      force,
    })
    this.object = applied.next
    this.owners = applied.owners
    return this
  }

  update(manager: string, next: object, now = NOW): this {
    this.owners = ownUpdate(this.owners, { ...reader, live: this.object, next }, by(manager, 'Update', now))
    this.object = next
    return this
  }

  /** Fields that a manager owns in `spec`; undefined if there are none. */
  ofOwner(manager: string): unknown {
    return this.owners.find((entry) => entry.manager === manager)?.fieldsV1['f:spec']
  }
}

function refusal(run: () => unknown): KubeError {
  try {
    run()
  } catch (error) {
    if (error instanceof KubeError) return error
  }
  throw new Error('nothing was refused')
}

describe('applying', () => {
  it('gives the applier its fields, without those that the server adds', () => {
    const scenario = new Scenario().apply('m1', spec({ a: '1' }))
    expect(scenario.owners).toEqual([
      {
        manager: 'm1',
        operation: 'Apply',
        apiVersion: VERSION,
        time: NOW,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:a': {} } },
      },
    ])
  })

  it('shares a field with every manager that applies the same value', () => {
    const scenario = new Scenario().apply('m1', spec({ a: '1' })).apply('m2', spec({ a: '1', b: '2' }))
    expect([scenario.ofOwner('m1'), scenario.ofOwner('m2')]).toEqual([{ 'f:a': {} }, { 'f:a': {}, 'f:b': {} }])
  })

  it('refuses another value of a field that another manager owns, field by field', () => {
    const scenario = new Scenario().apply('m1', spec({ a: '1', b: '1' }))
    expect(refusal(() => scenario.apply('m2', spec({ a: '2', b: '2' }))).status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Conflict',
      code: 409,
      message: 'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.a\n- .spec.b',
      details: {
        causes: ['.spec.a', '.spec.b'].map((field) => ({
          reason: 'FieldManagerConflict',
          message: 'conflict with "m1"',
          field,
        })),
      },
    })
  })

  it('names the version of an owner by update, since such an owner is another one in each', () => {
    const scenario = new Scenario().update('u', spec({ items: [{ name: 'n', v: '1' }] }))
    expect(refusal(() => scenario.apply('m', spec({ items: [{ name: 'n', v: '2' }] }))).message).toBe(
      'Apply failed with 1 conflict: conflict with "u" using ex.test/v1: .spec.items[name="n"].v',
    )
  })

  it('groups conflicts by owner', () => {
    const scenario = new Scenario().apply('m2', spec({ b: '1' })).apply('m1', spec({ a: '1' }))
    expect(refusal(() => scenario.apply('m3', spec({ a: '2', b: '2' }))).message).toBe(
      'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.a\nconflicts with "m2":\n- .spec.b',
    )
  })

  it('takes fields by force from all other managers', () => {
    const scenario = new Scenario().apply('m1', spec({ a: '1', b: '1' })).apply('m2', spec({ a: '2' }), { force: true })
    expect([scenario.ofOwner('m1'), scenario.ofOwner('m2'), scenario.object]).toEqual([
      { 'f:b': {} },
      { 'f:a': {} },
      spec({ a: '2', b: '1' }),
    ])
  })

  it('removes a field that the applier leaves out and no other manager applies', () => {
    const scenario = new Scenario().apply('m1', spec({ a: '1', b: '1', set: ['x'] })).apply('m1', spec({ a: '1' }))
    expect(scenario.object).toEqual(spec({ a: '1' }))
  })

  it('leaves what another applier applies, too', () => {
    const scenario = new Scenario()
      .apply('m1', spec({ a: '1', set: ['x'] }))
      .apply('m2', spec({ set: ['x'] }))
      .apply('m1', spec({ a: '1' }))
    expect([scenario.object, scenario.ofOwner('m1'), scenario.ofOwner('m2')]).toEqual([
      spec({ a: '1', set: ['x'] }),
      { 'f:a': {} },
      { 'f:set': { 'v:"x"': {} } },
    ])
  })

  it('leaves the entries of a map that others added', () => {
    const scenario = new Scenario()
      .apply('m1', spec({ labels: { x: '1' } }))
      .update('u', spec({ labels: { x: '1', y: '1' } }))
      .apply('m1', spec({ labels: {} }))
    expect(scenario.object).toEqual(spec({ labels: { y: '1' } }))
  })

  it('keeps an item of a list as long as others have fields in it', () => {
    const scenario = new Scenario()
      .apply('m1', spec({ items: [{ name: 'n', v: '1' }] }))
      .apply('m2', spec({ items: [{ name: 'n', w: '1' }] }))
      .apply('m1', spec({}))
    expect(scenario.object).toEqual(spec({ items: [{ name: 'n', w: '1' }] }))
  })

  it('forgets an applier that applies nothing', () => {
    const scenario = new Scenario()
      .apply('m1', spec({ a: '1' }))
      .apply('m2', spec({ b: '1' }))
      .apply('m2', {})
    expect([scenario.owners.map(({ manager }) => manager), scenario.object]).toEqual([['m1'], spec({ a: '1' })])
  })

  it('keeps the time of an owner when the object stays as it is', () => {
    const scenario = new Scenario()
      .apply('m1', spec({ a: '1' }))
      .apply('m1', spec({ a: '1' }), { now: LATER })
      .apply('m2', spec({ a: '1' }), { now: LATER })
    expect(scenario.owners.map(({ manager, time }) => [manager, time])).toEqual([
      ['m1', NOW],
      ['m2', undefined],
    ])
  })
})

describe('updating', () => {
  it('gives the writer the fields that it changes, and takes them from all other managers', () => {
    const scenario = new Scenario().apply('m', spec({ a: '1', b: '1' })).update('u', spec({ a: '2', b: '1' }))
    expect([scenario.ofOwner('m'), scenario.ofOwner('u')]).toEqual([{ 'f:b': {} }, { 'f:a': {} }])
  })

  it('takes removed fields from their owners and gives them to no manager', () => {
    const scenario = new Scenario().update('u', spec({ a: '1', b: '1' })).update('v', spec({ b: '1' }))
    expect(scenario.owners.map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      ['u', { 'f:spec': { '.': {}, 'f:b': {} } }],
    ])
  })

  it('adds to what the writer has, at the time of the later write', () => {
    const scenario = new Scenario().update('u', spec({ a: '1' })).update('u', spec({ a: '1', b: '1' }), LATER)
    expect(scenario.owners.map(({ fieldsV1, time }) => [fieldsV1, time])).toEqual([
      [{ 'f:spec': { '.': {}, 'f:a': {}, 'f:b': {} } }, LATER],
    ])
  })

  it('leaves owners alone when nothing changes', () => {
    const { owners, object } = new Scenario().update('u', spec({ a: '1' }))
    expect(ownUpdate(owners, { ...reader, live: object, next: spec({ a: '1' }) }, by('v', 'Update', LATER))).toBe(
      owners,
    )
  })

  it('forgets owners in a version that is no longer served', () => {
    const gone: ManagedFieldsEntry = {
      manager: 'old',
      operation: 'Update',
      apiVersion: 'ex.test/v0',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:a': {} } },
    }
    const owners = ownUpdate(
      [gone],
      { ...reader, live: spec({ a: '1' }), next: spec({ a: '1', b: '1' }) },
      by('u', 'Update'),
    )
    expect(owners.map(({ manager }) => manager)).toEqual(['u'])
  })

  it('never transfers fields of the server, or fields that the write cannot change', () => {
    const next = {
      apiVersion: VERSION,
      kind: 'Widget',
      metadata: { name: 'n', uid: 'u', labels: { x: '1' } },
      status: { phase: 'x' },
    }
    const owners = ownUpdate([], { ...reader, live: {}, next, ignored: { 'f:status': {} } }, by('u', 'Update'))
    expect(owners[0]?.fieldsV1).toEqual({ 'f:metadata': { 'f:labels': { '.': {}, 'f:x': {} } } })
  })

  it('puts the oldest updaters of a version together when there are more than ten', () => {
    const scenario = new Scenario()
    const labels: Record<string, string> = {}
    for (let index = 0; index < 12; index++) {
      labels[`l${index}`] = '1'
      scenario.update(`u${index}`, spec({ labels: { ...labels } }), `2026-01-01T00:00:${10 + index}Z`)
    }
    const shownOwners = shown(scenario.owners) ?? []
    expect(shownOwners.map(({ manager }) => manager)).toEqual([
      'ancient-changes',
      ...Array.from({ length: 9 }, (_, index) => `u${index + 3}`),
    ])
    expect(shownOwners[0]).toMatchObject({
      time: '2026-01-01T00:00:12Z',
      fieldsV1: { 'f:spec': { 'f:labels': { 'f:l0': {}, 'f:l1': {}, 'f:l2': {} } } },
    })
  })
})

describe('owners from before the schema changed', () => {
  const owner = (fields: object): Owners =>
    readEntries([
      {
        manager: 'old',
        operation: 'Apply',
        apiVersion: VERSION,
        time: NOW,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': fields },
      },
    ])!
  const live = spec({ atoms: ['x'], one: { x: '1' }, labels: { x: '1', y: '1' }, items: [{ name: 'n', v: '1' }] })

  test.each<[string, object, object]>([
    ['all of a list that is no longer divided', { 'f:atoms': { 'v:"x"': {} } }, { 'f:atoms': {} }],
    ['all of a map that is no longer divided', { 'f:one': { '.': {}, 'f:x': {} } }, { 'f:one': {} }],
    ['no entry of a map that is divided now', { 'f:labels': {} }, { 'f:labels': {} }],
    ['the same where nothing changed', { 'f:labels': { 'f:x': {} } }, { 'f:labels': { 'f:x': {} } }],
  ])('own %s', (_, before, after) => {
    const owners = ownUpdate(owner(before), { ...reader, live, next: live }, by('u', 'Update'))
    expect(owners[0]?.fieldsV1).toEqual({ 'f:spec': after })
  })
})

describe('a new object of a built-in kind', () => {
  it('gives its creator no field that a typed server has in every object', () => {
    const kindType = objectTypeOf(deployment)
    const next = {
      spec: {
        replicas: 1,
        selector: { matchLabels: { a: 'b' } },
        strategy: { type: 'Recreate' },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c' }], volumes: [{ name: 'v' }] } },
      },
    }
    const [owner] = ownUpdate(
      [],
      { live: zeroObject(deployment), next, typeIn: () => kindType, ignored: LEAF },
      by('u', 'Update'),
    )
    expect(owner?.fieldsV1).toEqual({
      'f:spec': {
        'f:replicas': {},
        'f:selector': {},
        'f:strategy': { 'f:type': {} },
        'f:template': {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {} } },
            'f:volumes': { '.': {}, 'k:{"name":"v"}': { '.': {}, 'f:name': {} } },
          },
        },
      },
    })
  })

  it.each([
    ['Event', event, { source: {}, eventTime: null, firstTimestamp: null, reportingComponent: '' }],
    ['Event in its own group', eventV1, { regarding: {}, deprecatedSource: {}, deprecatedFirstTimestamp: null }],
    ['PriorityClass', priorityClass, { value: 0 }],
    ['ClusterRole', clusterRole, { rules: null }],
  ])('has in it what an %s shows when it is empty', (_, kind, empty) => {
    expect(zeroObject(kind)).toMatchObject(empty)
  })

  it('lacks a template that is a pointer', () => {
    expect(zeroObject(replicationController)).toMatchObject({ spec: {} })
    expect(zeroObject(replicationController)).not.toHaveProperty('spec.template')
    expect(zeroObject(deployment)).toHaveProperty('spec.template')
  })

  it('has nothing in it when it is of a custom kind', () => {
    expect([zeroObject(widget), zeroObject(configMap)]).toEqual([{}, { metadata: {} }])
  })
})

describe('what clients write into managedFields', () => {
  const entry = {
    manager: 'm',
    operation: 'Update',
    apiVersion: 'v1',
    time: NOW,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:a': {} },
  }
  test.each<[string, object]>([
    ['another operation', { ...entry, operation: 'Bogus' }],
    ['no version', { ...entry, apiVersion: '' }],
    ['no type of its fields', { ...entry, fieldsType: undefined }],
    ['another type of its fields', { ...entry, fieldsType: 'FieldsV2' }],
    ['an element of no kind', { ...entry, fieldsV1: { a: {} } }],
    ['a key like __proto__', { ...entry, fieldsV1: JSON.parse('{"__proto__":{}}') as object }],
  ])('counts for nothing when an entry has %s', (_, wrong) => {
    expect(readEntries([entry, wrong])).toBeUndefined()
  })

  it('counts as it is, the last of several entries of one owner', () => {
    expect(readEntries([entry, { ...entry, fieldsV1: { 'f:b': {} } }])).toEqual([{ ...entry, fieldsV1: { 'f:b': {} } }])
  })
})
