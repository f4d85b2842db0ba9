import { seededRng } from '@/lib/std/rng'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StructuralSchema } from '../schema'
import { applyDefaults, dropNulls } from '../schema-default'
import { pruneUnknown } from '../schema-prune'
import { validateSchema, validateSchemaChange } from '../schema-validate'
import { validateRules } from './validate-rules'

const texts = (value: unknown, schema: StructuralSchema): string[] =>
  validateSchema(value, schema, 'spec.x').map(({ field, message }) => `${field}: ${message}`)
const keyed: StructuralSchema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer', maximum: 5 } } },
}

describe('a value is right for', () => {
  it.each<[string, StructuralSchema, unknown]>([
    ['null where it may be', { type: 'string', nullable: true }, null],
    ['a number without a fraction where fractions may be', { type: 'number' }, 3],
    ['a whole number or a text', { 'x-kubernetes-int-or-string': true }, '80%'],
    ['a multiple', { type: 'number', multipleOf: 0.1 }, 0.3],
    ['an exclusive bound', { type: 'integer', minimum: 0, exclusiveMinimum: true }, 1],
    ['one of several', { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }] }, 0],
    ['exactly one of several', { type: 'integer', oneOf: [{ minimum: 5 }, { minimum: 9 }] }, 6],
    ['what is excluded', { type: 'string', not: { pattern: '^a' } }, 'b'],
    ['an unknown format', { type: 'string', format: 'poem' }, 'x'],
    ['an address', { type: 'string', format: 'ipv6' }, '2001:db8::1'],
    ['bytes', { type: 'string', format: 'byte' }, 'AAEC'],
    [
      'an unknown field of an open object',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { constructor: 1 },
    ],
  ])('%s', (_, schema, value) => {
    expect(texts(value, schema)).toEqual([])
  })
})

describe('a value is refused that', () => {
  it.each<[string, StructuralSchema, unknown, string[]]>([
    [
      'has a fraction where none may be',
      { type: 'integer' },
      1.5,
      [
        'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x',
      ],
    ],
    [
      'is an exclusive bound',
      { type: 'integer', maximum: 3, exclusiveMaximum: true },
      3,
      ['spec.x: Invalid value: 3: spec.x in body should be less than 3'],
    ],
    [
      'is no multiple',
      { type: 'integer', multipleOf: 3 },
      4,
      ['spec.x: Invalid value: 4: spec.x in body should be a multiple of 3'],
    ],
    [
      'is too large for its format',
      { type: 'integer', format: 'int32' },
      2 ** 31,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x'],
    ],
    [
      'is no number of its format',
      { type: 'integer', format: 'int32' },
      {},
      ['spec.x: Invalid value: "": spec.x in body must be of type int32: ""'],
    ],
    [
      'has too few fields',
      { type: 'object', minProperties: 2 },
      { a: 1 },
      ['spec.x: Invalid value: 1: spec.x in body should have at least 2 properties'],
    ],
    [
      'has too many fields',
      { type: 'object', maxProperties: 1 },
      { a: 1, b: 2 },
      ['spec.x: Too many: 2: must have at most 1 item'],
    ],
    [
      'is no address',
      { type: 'string', format: 'ipv4' },
      '1.2.3',
      ['spec.x: Invalid value: "1.2.3": spec.x in body must be of type ipv4: "1.2.3"'],
    ],
    [
      'is no duration',
      { type: 'string', format: 'duration' },
      'soon',
      ['spec.x: Invalid value: "soon": spec.x in body must be of type duration: "soon"'],
    ],
    [
      'does not match',
      { type: 'string', pattern: '^[a-z]+$' },
      'A',
      ['spec.x: Invalid value: "A": spec.x in body should match \'^[a-z]+$\''],
    ],
    [
      'is none of several',
      { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }] },
      3,
      [
        '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
        'spec.x: Invalid value: 3: spec.x in body should be greater than or equal to 5',
      ],
    ],
    [
      'is more than one of several',
      { type: 'integer', oneOf: [{ minimum: 5 }, { minimum: 9 }] },
      9,
      ['<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'is what is excluded',
      { type: 'string', not: { pattern: '^a' } },
      'a',
      ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not)'],
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(texts(value, schema)).toEqual(expected)
  })

  it('takes a pattern of a user no longer for a long text', () => {
    const [finding] = validateSchema(`${'a'.repeat(20_000)}!`, { type: 'string', pattern: '^(a+)+$' }, 'x')
    expect(finding?.reason).toBe('FieldValueInvalid')
  })
})

describe('a change', () => {
  const change = (next: unknown, old: unknown, schema: StructuralSchema): string[] =>
    validateSchemaChange(next, schema, { field: 'x', body: 'x', old }).map(({ field }) => field)
  it('is not blamed for what was wrong before', () => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: { a: { type: 'integer', maximum: 5 }, b: { type: 'integer', maximum: 5 } },
    }
    expect(change({ a: 9, b: 1 }, { a: 9, b: 2 }, schema)).toEqual([])
    expect(change({ a: 9, b: 6 }, { a: 9, b: 2 }, schema)).toEqual(['x.b'])
  })
  it('finds the same item again by its key', () => {
    const before = [
      { name: 'a', size: 9 },
      { name: 'b', size: 1 },
    ]
    expect(
      change(
        [
          { name: 'b', size: 2 },
          { name: 'a', size: 9 },
        ],
        before,
        keyed,
      ),
    ).toEqual([])
    expect(change([{ name: 'b', size: 9 }], before, keyed)).toEqual(['x[0].size'])
  })
  it('is judged alike whether or not it shares parts with the object before it', () => {
    const rng = seededRng(61)
    const size: StructuralSchema = { type: 'integer', maximum: 5 }
    const sizes: StructuralSchema = { type: 'array', maxItems: 3, items: size }
    const part: StructuralSchema = { type: 'object', required: ['a'], properties: { a: size, list: sizes, keyed } }
    const schema: StructuralSchema = {
      type: 'object',
      properties: { one: part, two: part, either: { type: 'object', anyOf: [part, { required: ['b'] }] } },
    }
    const random = (made: StructuralSchema): unknown => {
      if (made.type === 'integer') return rng.below(9)
      if (made.type === 'string') return 'abc'[rng.below(3)]
      if (made.type === 'array') return Array.from({ length: rng.below(5) }, () => random(made.items!))
      const fields = Object.entries(made.properties ?? part.properties!)
      return Object.fromEntries(fields.flatMap(([name, own]) => (rng.below(4) > 0 ? [[name, random(own)]] : [])))
    }
    /** Some parts of `old`, others new. */
    const changed = (old: unknown, made: StructuralSchema): unknown => {
      if (rng.below(3) === 0) return random(made)
      if (made.type !== 'object' || rng.below(3) === 0) return old
      return Object.fromEntries(
        Object.entries(old as object).map(([name, child]) => [name, changed(child, made.properties?.[name] ?? size)]),
      )
    }
    const found = Array.from({ length: 2_000 }, () => {
      const old = random(schema)
      const next = changed(old, schema)
      expect(change(next, old, schema)).toEqual(change(next, structuredClone(old), schema))
      return change(next, old, schema).length
    })
    expect(found.filter((count) => count > 0).length).toBeGreaterThan(100)
  })
})

describe('rules', () => {
  const ruled = (rule: object, schema: StructuralSchema = { type: 'integer' }): StructuralSchema => ({
    type: 'object',
    properties: { a: { ...schema, 'x-kubernetes-validations': [{ rule: 'self > 3', ...rule }] } },
  })
  const ask = (schema: StructuralSchema, value: object, old?: object): string[] =>
    validateRules(schema, { value, old, field: '' }, { found: [] }).map(({ field, message }) => `${field}: ${message}`)
  it.each<[string, StructuralSchema, object, object | undefined, string[]]>([
    ['say what failed', ruled({}), { a: 1 }, undefined, ['a: Invalid value: 1: failed rule: self > 3']],
    ['say it in their words', ruled({ message: 'too small' }), { a: 1 }, undefined, ['a: Invalid value: 1: too small']],
    [
      'make up their words',
      ruled({ messageExpression: "'not ' + string(self)" }),
      { a: 1 },
      undefined,
      ['a: Invalid value: 1: not 1'],
    ],
    [
      'give their reason',
      ruled({ reason: 'FieldValueForbidden', message: 'no' }),
      { a: 1 },
      undefined,
      ['a: Forbidden: no'],
    ],
    ['are not asked about what is not there', ruled({}), {}, undefined, []],
    ['about a change are not asked about what is new', ruled({ rule: 'self >= oldSelf' }), { a: 1 }, {}, []],
    [
      'about a change see what was',
      ruled({ rule: 'self >= oldSelf', message: 'down' }),
      { a: 1 },
      { a: 2 },
      ['a: Invalid value: 1: down'],
    ],
    [
      'may look at the past if there is one',
      ruled({ rule: 'oldSelf.hasValue() || self == 0', optionalOldSelf: true, message: 'new ones are 0' }),
      { a: 1 },
      undefined,
      ['a: Invalid value: 1: new ones are 0'],
    ],
    ['do not mind what was wrong before', ruled({}), { a: 1 }, { a: 1 }, []],
    [
      'know times',
      ruled(
        { rule: "self > timestamp('2026-01-01T00:00:00Z')", message: 'old' },
        { type: 'string', format: 'date-time' },
      ),
      { a: '2025-01-01T00:00:00Z' },
      undefined,
      ['a: Invalid value: "2025-01-01T00:00:00Z": old'],
    ],
    [
      'know durations',
      ruled({ rule: "self <= duration('1h')", message: 'long' }, { type: 'string', format: 'duration' }),
      { a: '90m' },
      undefined,
      ['a: Invalid value: "90m": long'],
    ],
    [
      'spell reserved names their own way',
      ruled(
        { rule: 'self.__namespace__ == self.a__dash__b', message: 'differ' },
        { type: 'object', properties: { namespace: { type: 'string' }, 'a-b': { type: 'string' } } },
      ),
      { a: { namespace: 'x', 'a-b': 'y' } },
      undefined,
      ['a: Invalid value: differ'],
    ],
    [
      'compare whole objects',
      ruled({ rule: 'self == oldSelf', message: 'fixed' }, { type: 'object', properties: { b: { type: 'integer' } } }),
      { a: { b: 1 } },
      { a: { b: 2 } },
      ['a: Invalid value: fixed'],
    ],
    [
      'point at a field',
      ruled(
        { rule: 'self.b > 1', fieldPath: '.b', message: 'small' },
        { type: 'object', properties: { b: { type: 'integer' } } },
      ),
      { a: { b: 1 } },
      undefined,
      ['a.b: Invalid value: small'],
    ],
    [
      'stand at the root, which has no name',
      { type: 'object', 'x-kubernetes-validations': [{ rule: "self.metadata.name == 'x'", message: 'named' }] },
      { metadata: { name: 'y' } },
      undefined,
      ['<nil>: Invalid value: named'],
    ],
    [
      'are asked about values of maps',
      {
        type: 'object',
        properties: {
          m: {
            type: 'object',
            additionalProperties: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
          },
        },
      },
      { m: { x: 0 } },
      undefined,
      ['m[x]: Invalid value: 0: failed rule: self > 0'],
    ],
  ])('%s', (...[, schema, value, old, expected]) => {
    expect(ask(schema, value, old)).toEqual(expected)
  })

  it('are not asked while types are wrong', () => {
    const found = validateSchema({ a: 'x' }, ruled({}))
    expect(
      validateRules(ruled({}), { value: { a: 'x' }, old: undefined, field: '' }, { found }).map(
        ({ message }) => message,
      ),
    ).toEqual([
      'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ])
  })
})

/** A structural schema whose defaults are values of it, and values that may or may not fit. */
const leaf = fc.oneof(
  fc.record(
    { type: fc.constant('integer' as const), default: fc.integer({ min: 0, max: 9 }), maximum: fc.constant(9) },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    { type: fc.constant('string' as const), default: fc.string({ maxLength: 3 }), nullable: fc.boolean() },
    { requiredKeys: ['type'] },
  ),
  fc.constant<StructuralSchema>({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
)
const schemas = fc.letrec<{ schema: StructuralSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'))
      .map((properties): StructuralSchema => ({ type: 'object', properties })),
    tie('schema').map((items): StructuralSchema => ({ type: 'array', items })),
    tie('schema').map((additionalProperties): StructuralSchema => ({ type: 'object', additionalProperties })),
  ),
})).schema
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown>(null, 1, 12, 'x', true),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), tie('value')),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value

describe('whatever the schema', () => {
  const complete = (value: unknown, schema: StructuralSchema): unknown =>
    applyDefaults(dropNulls(pruneUnknown(value, schema).value, schema), schema)

  it('completing twice is completing once', () => {
    fc.assert(
      fc.property(values, schemas, (value, schema) => {
        const once = complete(value, schema)
        expect(complete(once, schema)).toBe(once)
      }),
      { seed: 11, numRuns: 400 },
    )
  })

  it('what was right stays right when it is completed', () => {
    fc.assert(
      fc.property(values, schemas, (value, schema) => {
        fc.pre(validateSchema(value, schema).length === 0)
        expect(validateSchema(complete(value, schema), schema)).toEqual([])
      }),
      { seed: 12, numRuns: 400 },
    )
  })
})

it('bytes are at least one', () => {
  const schema: StructuralSchema = { type: 'string', format: 'byte' }
  expect(texts('', schema)).toEqual(['spec.x: Invalid value: "": spec.x in body must be of type byte: ""'])
})

describe('a rule about a value that did not change', () => {
  const list: StructuralSchema = {
    type: 'array',
    items: {
      type: 'object',
      properties: { a: { type: 'string' } },
      'x-kubernetes-validations': [{ rule: 'self.a.size() > 5', message: 'too short' }],
    },
  }
  const count: StructuralSchema = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 3' }] }
  const schema: StructuralSchema = { type: 'object', properties: { count, list } }
  const ask = (value: object, old: object): { found: string[]; warned: string[] } => {
    const warned: string[] = []
    const options = { found: [], warn: (text: string) => void warned.push(text) }
    const found = validateRules(schema, { value, old, field: '' }, options)
    return { found: found.map(({ field, message }) => `${field}: ${message}`), warned }
  }

  it('warns, also about items of a list that did not change', () => {
    const old = { count: 1, list: [{ a: 'x' }] }
    expect(ask({ ...old, other: 1 }, old)).toEqual({
      found: [],
      warned: ['count: Invalid value: 1: failed rule: self > 3', 'list[0]: Invalid value: too short'],
    })
    expect(ask({ count: 1, list: [{ a: 'x' }, { a: 'long enough' }] }, old)).toEqual({
      found: ['list[0]: Invalid value: too short'],
      warned: ['count: Invalid value: 1: failed rule: self > 3'],
    })
  })

  it('fails for a value of another type than the one of its schema', () => {
    const old = { count: ['x'], list: [{ a: 7 }] }
    expect(ask(old, old)).toEqual({
      found: [
        'count: Invalid value: "integer": invalid data, expected int, got []interface {} evaluating rule: self > 3',
        'list[0]: Invalid value: "object": invalid data, expected string, got int64 evaluating rule: too short',
      ],
      warned: [],
    })
  })
})
