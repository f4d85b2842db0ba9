import { describe, expect, test } from 'vitest'
import { type ApiOperation, curlText, readReference, type Schema, typeText } from './document'

describe('a schema is read as a type', () => {
  test.each<[Schema, string]>([
    [{ $ref: '#/components/schemas/Workload' }, 'Workload'],
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'date-time' }, 'time'],
    [{ const: 'x' }, '"x"'],
    [{ enum: ['a', 'b'] }, '"a" | "b"'],
    [{ type: 'array', items: { $ref: '#/components/schemas/A' } }, 'A[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'string | number'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, '{ [name]: integer }'],
    [{}, 'anything'],
    [
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] },
      '{ a: string; b?: integer }',
    ],
    [
      { type: 'object', properties: { a: { type: 'string', description: 'Why.' } }, required: ['a'] },
      '{\n  a: string  // Why.\n}',
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: { type: 'string', description: 'x' } } } },
      },
      '{\n  a?: {\n    b?: string  // x\n  }\n}',
    ],
    [{ type: 'object', properties: {} }, '{}'],
  ])('%o', (schema, text) => {
    expect(typeText(schema)).toBe(text)
  })
})

const document = {
  tags: [{ name: 'Queues' }],
  paths: {
    '/api/v1/queues/{namespace}/{name}/hold': {
      post: {
        operationId: 'hold',
        tags: ['Queues'],
        summary: 'Pause a queue',
        'x-evenkeel-kind': 'action',
        parameters: [
          { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
          { $ref: '#/components/parameters/IfMatch' },
        ],
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: {
          '2XX': {
            description: 'x',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Queue' } } },
          },
          412: { $ref: '#/components/responses/PreconditionFailed' },
          403: { description: 'Forbidden: no.' },
        },
      },
    },
    '/api/v1/login': {
      get: {
        operationId: 'login',
        tags: ['Queues'],
        summary: 'x',
        'x-evenkeel-kind': 'query',
        security: [],
        parameters: [],
        responses: {},
      },
    },
  },
  components: {
    schemas: { Queue: { type: 'object' } },
    parameters: { IfMatch: { name: 'If-Match', in: 'header', required: false, schema: { type: 'string' } } },
    responses: {
      PreconditionFailed: {
        description: 'It was changed.',
        content: { 'application/problem+json': { example: { status: 412 } } },
      },
    },
  },
}

test('the document becomes sections, schemas and problems, with what it refers to filled in', () => {
  const { sections, schemas, problems } = readReference(document)
  expect(sections).toMatchObject([
    {
      tag: 'Queues',
      operations: [
        {
          id: 'hold',
          method: 'POST',
          kind: 'action',
          open: false,
          parameters: [{ name: 'name' }, { name: 'If-Match', in: 'header' }],
          answer: { $ref: '#/components/schemas/Queue' },
          problems: [
            { status: '403', description: 'Forbidden: no.' },
            { status: '412', description: 'It was changed.' },
          ],
        },
        { id: 'login', open: true, answer: {} },
      ],
    },
  ])
  expect([schemas, problems]).toEqual([
    [{ name: 'Queue', schema: { type: 'object' } }],
    [{ reason: 'PreconditionFailed', status: 412, description: 'It was changed.' }],
  ])
})

describe('a call from a shell', () => {
  const [hold, login] = readReference(document).sections.flatMap(({ operations }) => operations) as [
    ApiOperation,
    ApiOperation,
  ]

  test('of an action has a token from the environment, a key of its own and a body', () => {
    expect(curlText(hold, 'https://fleet.example')).toBe(
      [
        "curl -X POST 'https://fleet.example/api/v1/queues/NAMESPACE/NAME/hold'",
        '-H "Authorization: Bearer $TOKEN"',
        '-H "Idempotency-Key: $(uuidgen)"',
        "-H 'Content-Type: application/json'",
        '-d @body.json',
      ].join(' \\\n  '),
    )
  })

  test('of what is open needs no token', () => {
    expect(curlText(login, 'http://localhost:3000')).toBe("curl 'http://localhost:3000/api/v1/login'")
  })
})
