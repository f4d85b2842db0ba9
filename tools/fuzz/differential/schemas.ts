/** Schemas of fields with their values, and invalid contents of a definition. */

/** Schemas of one field, with valid and invalid values. */
export const FIELDS: readonly { schema: object; values: readonly unknown[] }[] = [
  { schema: { type: 'string' }, values: ['x', 7, null, ''] },
  { schema: { type: 'string', enum: ['a', 'b'], default: 'a' }, values: ['a', 'c', null] },
  { schema: { type: 'string', pattern: '^a+$', maxLength: 5, minLength: 2 }, values: ['aaa', 'b', 'aaaaaaa', 'a'] },
  { schema: { type: 'string', format: 'date-time' }, values: ['2020-01-01T00:00:00Z', 'x', '2020-01-01'] },
  { schema: { type: 'string', format: 'uuid' }, values: ['11111111-1111-1111-1111-111111111111', 'x'] },
  { schema: { type: 'string', format: 'byte' }, values: ['AAEC', '***'] },
  { schema: { type: 'string', format: 'ipv4' }, values: ['1.2.3.4', '1.2.3'] },
  { schema: { type: 'string', format: 'email' }, values: ['a@b.c', 'a'] },
  { schema: { type: 'string', format: 'duration' }, values: ['1h', 'x'] },
  { schema: { type: 'string', format: 'uri' }, values: ['http://a/b', '%%%'] },
  { schema: { type: 'string', format: 'hostname' }, values: ['a.b', '-a'] },
  { schema: { type: 'string', format: 'nope' }, values: ['x'] },
  { schema: { type: 'string', nullable: true }, values: [null, 'x'] },
  { schema: { type: 'string', nullable: true, default: 'd' }, values: [null, 'x', undefined] },
  { schema: { type: 'integer', minimum: 1, maximum: 5, default: 3 }, values: [1, 0, 9, 1.5, '1', null] },
  { schema: { type: 'integer', format: 'int32' }, values: [1, 2 ** 31, -1] },
  { schema: { type: 'integer', exclusiveMinimum: true, minimum: 1, multipleOf: 2 }, values: [1, 2, 3] },
  { schema: { type: 'number', maximum: 1.5 }, values: [1, 1.5, 2, 1e3] },
  { schema: { type: 'boolean', default: true }, values: [true, false, 'true', null] },
  {
    schema: { type: 'array', items: { type: 'string' }, maxItems: 2, minItems: 1 },
    values: [['a'], [], ['a', 'b', 'c'], [1], 'x', null, [null]],
  },
  {
    schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    values: [['a'], ['a', 'a']],
  },
  {
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, v: { type: 'integer', default: 1 } },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    values: [[{ name: 'a' }], [{ name: 'a' }, { name: 'a' }], [{ v: 2 }], [{ name: 'a', nope: 1 }]],
  },
  { schema: { type: 'array' }, values: [[1]] },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer', default: 2 } },
      required: ['a'],
    },
    values: [{ a: 'x' }, {}, { a: 'x', nope: 1 }, null, 'x'],
  },
  {
    schema: { type: 'object', default: {}, properties: { a: { type: 'string', default: 'x' } } },
    values: [{}, undefined, { a: null }, null],
  },
  {
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    values: [{ a: 1 }, { a: 'x' }, {}, { a: null }],
  },
  {
    schema: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
    },
    values: [{ k: {} }, { k: { nope: 1 } }, { k: null }],
  },
  {
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    values: [{ a: { b: 1 } }, { a: null }, 'x'],
  },
  {
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    values: [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', nope: 1 } },
      {},
      { apiVersion: 'v1' },
      { kind: 'x', apiVersion: 'v1', metadata: { name: 'UP' } },
    ],
  },
  { schema: { 'x-kubernetes-int-or-string': true }, values: [1, 'x', 1.5, true, null] },
  {
    schema: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^\\d+$' },
    values: [1, 'x', '5'],
  },
  { schema: { 'x-kubernetes-preserve-unknown-fields': true }, values: [1, { a: 1 }, null] },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    values: [{ a: 'x' }, { a: 'x', b: 'y' }, {}],
  },
  {
    schema: { type: 'object', properties: { a: { type: 'string' } }, not: { required: ['a'] } },
    values: [{ a: 'x' }, {}],
  },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' } },
      anyOf: [{ properties: { a: { minimum: 5 } } }, { properties: { a: { maximum: 1 } } }],
    },
    values: [{ a: 0 }, { a: 3 }],
  },
  {
    schema: { type: 'object', maxProperties: 1, minProperties: 1, additionalProperties: { type: 'string' } },
    values: [{}, { a: 'x' }, { a: 'x', b: 'y' }],
  },
  {
    schema: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
    values: [{ a: 'x' }],
  },
  { schema: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 3' }] }, values: [1, 5] },
  {
    schema: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] },
    values: ['a', 'b'],
  },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      'x-kubernetes-validations': [
        {
          rule: 'self.a <= self.b',
          messageExpression: "'a is ' + string(self.a)",
          reason: 'FieldValueForbidden',
          fieldPath: '.a',
        },
      ],
    },
    values: [{ a: 1, b: 2 }, { a: 3, b: 2 }, { a: 1 }],
  },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'has(self.a) == has(oldSelf.a)', optionalOldSelf: false }],
    },
    values: [{ a: 1 }, {}],
  },
  {
    schema: {
      type: 'array',
      maxItems: 5,
      items: { type: 'string', maxLength: 10 },
      'x-kubernetes-validations': [{ rule: "self.all(x, x.startsWith('a'))", message: 'all must start with a' }],
    },
    values: [['a'], ['b']],
  },
  {
    schema: { type: 'string', maxLength: 50, 'x-kubernetes-validations': [{ rule: "self.matches('^[a-z]+$')" }] },
    values: ['abc', 'A1'],
  },
  {
    schema: {
      type: 'string',
      format: 'date-time',
      'x-kubernetes-validations': [{ rule: "self > timestamp('2021-01-01T00:00:00Z')" }],
    },
    values: ['2020-01-01T00:00:00Z', '2022-01-01T00:00:00Z'],
  },
]

/** Rules that are invalid in a definition, in all known variants. */
export const BAD_RULES: readonly object[] = [
  { rule: 'self.nope > 1' },
  { rule: 'self' },
  { rule: '1 +' },
  { rule: '' },
  { rule: 'self ==' },
  { rule: "self == 'x'" },
  { rule: 'nope(self)' },
  { rule: 'true', message: 'a\nb' },
  { rule: 'true', message: '  ' },
  { rule: 'true', messageExpression: '1' },
  { rule: 'true', messageExpression: 'self.nope' },
  { rule: 'true', reason: 'Nope' },
  { rule: 'true', fieldPath: '.nope' },
  { rule: 'true', fieldPath: 'x[' },
  { rule: 'oldSelf == self', optionalOldSelf: true },
  { rule: 'self.all(x, x > 1)' },
  { rule: 'true || self.f.size() > 1' },
  { message: 'x' },
]

export const BAD_SCHEMAS: readonly object[] = [
  { type: 'nope' },
  { type: 'object', properties: { a: {} } },
  { type: 'array' },
  { type: 'array', items: [{ type: 'string' }] },
  { type: 'string', uniqueItems: true },
  { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
  { type: 'object', additionalProperties: true },
  { type: 'string', default: 7 },
  { type: 'object', properties: { a: { type: 'integer', default: 'x' } } },
  { type: 'string', nullable: false, default: null },
  { type: 'string', pattern: '(' },
  { type: 'string', 'x-kubernetes-list-type': 'set' },
  { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'nope' },
  { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' },
  {
    type: 'array',
    items: { type: 'object', properties: { a: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['b'],
  },
  {
    type: 'array',
    items: { type: 'object', properties: { a: { type: 'object' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
  },
  {
    type: 'array',
    items: { type: 'object', properties: { a: { type: 'string' } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a', 'a'],
  },
  { type: 'object', 'x-kubernetes-map-type': 'nope' },
  { type: 'string', 'x-kubernetes-map-type': 'atomic' },
  { type: 'object', 'x-kubernetes-embedded-resource': true },
  { type: 'string', 'x-kubernetes-int-or-string': true },
  { type: 'string', 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
  { type: 'object', $ref: '#/x' },
  { type: 'object', id: 'x' },
  { type: 'object', definitions: {} },
  { type: 'object', patternProperties: { a: { type: 'string' } } },
  { type: 'object', dependencies: { a: ['b'] } },
  { type: 'object', anyOf: [{ type: 'string' }] },
  { type: 'object', anyOf: [{ properties: { a: { type: 'string' } } }] },
  { type: 'object', allOf: [{ description: 'x' }] },
  { type: 'object', not: { default: 1 } },
  { type: 'object', required: ['a', 'a'] },
  { type: 'object', properties: { metadata: { type: 'string' } } },
  { type: 'integer', minimum: 'x' },
  { type: 'string', enum: ['a', 'a'] },
  { type: 'string', enum: [7] },
  { type: 'string', maxLength: -1 },
  { type: 'array', items: { type: 'string', default: 'x' } },
  { type: 'object', nope: 1 },
  { type: 'string', example: { a: 1 }, title: 't', externalDocs: { url: 'http://x' } },
]
