/** Builds the OpenAPI 3.1 document from the definitions of the endpoints. */
import { z } from 'zod'
import type { Locale, Text } from '@/lib/messages'
import { message, type MessageCode } from '@/lib/messages/message'
import { described } from '@/lib/view/described'
import { PROBLEMS, problemSchema, type ProblemReason } from '@/lib/view/problems'
import { type AnyEndpoint, endpoint } from './endpoint'
import { textOf } from './language'

type Json = Readonly<Record<string, unknown>>

const SCHEMA_PREFIX = '#/components/schemas/'

/**
 * Returns the endpoint GET /api/v1/openapi.json, which documents these endpoints and itself in the language of the
 * reader.
 */
export function openApiEndpoint(endpoints: readonly AnyEndpoint[]): AnyEndpoint {
  const documents = new Map<Locale, Record<string, unknown>>()
  const self: AnyEndpoint = endpoint({
    method: 'GET',
    path: '/api/v1/openapi.json',
    kind: 'query',
    tag: 'api.tag.controlPlane',
    summary: 'api.endpoint.document',
    response: z.record(z.string(), z.unknown()),
    perform: ({ request }) => {
      const text = textOf(request)
      const body = documents.get(text.locale) ?? describeApi([...endpoints, self], text)
      documents.set(text.locale, body)
      return { body, headers: { 'content-language': text.locale } }
    },
  })
  return self
}

/** Returns the document in one language. */
export function describeApi(endpoints: readonly AnyEndpoint[], text: Text): Record<string, unknown> {
  const schemas = new Schemas(text)
  const shared = endpoints.filter(({ path }) => path.startsWith('/api/'))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const one of shared) {
    paths[one.path] = { ...paths[one.path], [one.method.toLowerCase()]: operationOf(one, schemas) }
  }
  const problem = schemas.of(problemSchema, 'output')
  const described = inLanguage(text)
  return {
    openapi: '3.1.0',
    info: { title: 'Evenkeel', version: 'v1', description: text('api.document.description') },
    servers: [{ url: '/' }],
    tags: [...new Set(shared.map(({ tag }) => tag))].map((tag) => ({ name: text.of({ code: tag }) })),
    security: [{ cookie: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: sorted(schemas.named),
      responses: responsesOf(problem, text),
      parameters: described(PARAMETERS),
      headers: described(HEADERS),
      securitySchemes: described(SECURITY),
    },
  }
}

const SECURITY = {
  cookie: { type: 'apiKey', in: 'cookie', name: 'evenkeel', ...described('api.document.cookie') },
  bearer: { type: 'http', scheme: 'bearer', ...described('api.document.bearer') },
}

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    ...described('api.document.idempotencyKey'),
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    ...described('api.document.ifMatch'),
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    schema: { type: 'string', pattern: '^[\\w.:-]{8,128}$' },
    ...described('api.document.requestIdParameter'),
  },
}

const HEADERS = {
  RequestId: { schema: { type: 'string' }, ...described('api.document.requestId') },
  ETag: { schema: { type: 'string' }, ...described('api.document.etag') },
  StaleSince: { schema: { type: 'string', format: 'date-time' }, ...described('api.document.staleSince') },
  Limit: { schema: { type: 'integer' }, ...described('api.document.limit') },
  Remaining: { schema: { type: 'integer' }, ...described('api.document.remaining') },
  Reset: { schema: { type: 'integer' }, ...described('api.document.reset') },
}

const SENT_HEADERS = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'RateLimit-Limit': { $ref: '#/components/headers/Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/Reset' },
}

const REASONS = Object.keys(PROBLEMS) as ProblemReason[]

/** One response for each reason, so that every problem is documented once. */
function responsesOf(problem: unknown, text: Text): Json {
  return Object.fromEntries(
    REASONS.map((reason) => [
      reason,
      {
        description: text('api.problem.described', {
          title: message(`api.problem.${reason}.title`),
          advice: message(`api.problem.${reason}.advice`),
        }),
        headers: { 'X-Request-Id': SENT_HEADERS['X-Request-Id'] },
        content: {
          'application/problem+json': {
            schema: problem,
            example: { status: PROBLEMS[reason], reason, title: text(`api.problem.${reason}.title`) },
          },
        },
      },
    ]),
  )
}

/** Returns the problems that an endpoint may answer with. */
function problemsOf(one: AnyEndpoint): readonly ProblemReason[] {
  return REASONS.filter((reason) => {
    switch (reason) {
      case 'MethodNotAllowed':
      case 'Malformed':
      case 'RequestTimeout':
      case 'UriTooLong':
      case 'HeadersTooLarge':
        // These concern the connection, before an operation is known.
        return false
      case 'StillRunning':
      case 'OutcomeUnknown':
      case 'IdempotencyKeyReused':
      case 'StoreUnavailable':
      case 'ReadOnly':
        return one.kind === 'action'
      case 'PreconditionFailed':
      case 'Conflict':
      case 'AlreadyExists':
      case 'Refused':
        return one.kind === 'action'
      case 'UnsupportedMediaType':
      case 'RequestEntityTooLarge':
      case 'BadRequest':
        return one.body !== undefined
      default:
        return true
    }
  })
}

function operationOf(one: AnyEndpoint, schemas: Schemas): Json {
  const { text } = schemas
  const byStatus = Map.groupBy(problemsOf(one), (reason) => PROBLEMS[reason])
  const problems = [...byStatus].map(([status, reasons]) => [
    status,
    reasons.length === 1 ? { $ref: `#/components/responses/${reasons[0]}` } : several(reasons, text),
  ])
  return {
    operationId: operationId(one),
    tags: [text.of({ code: one.tag })],
    summary: text.of({ code: one.summary }),
    ...(one.description !== undefined && { description: text.of({ code: one.description }) }),
    'x-evenkeel-kind': one.kind,
    ...('open' in one && { security: [] }),
    parameters: parametersOf(one, schemas),
    ...(one.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemas.of(one.body, 'input') } } },
    }),
    responses: { ...successOf(one, schemas), ...(Object.fromEntries(problems) as Json) },
  }
}

const several = (reasons: readonly ProblemReason[], text: Text): Json => ({
  description: reasons
    .map((reason) => text('api.problem.named', { reason, title: message(`api.problem.${reason}.title`) }))
    .join(' '),
  content: { 'application/problem+json': { schema: { $ref: `${SCHEMA_PREFIX}Problem` } } },
})

function successOf(one: AnyEndpoint, schemas: Schemas): Json {
  const read = one.method === 'GET'
  const headers = {
    ...SENT_HEADERS,
    ...(read && { 'Evenkeel-Stale-Since': { $ref: '#/components/headers/StaleSince' } }),
    ...(read && one.path.endsWith('}') && { ETag: { $ref: '#/components/headers/ETag' } }),
  }
  const content = { 'application/json': { schema: schemas.of(one.response, 'output') } }
  const description = schemas.text(one.kind === 'action' ? 'api.document.done' : 'api.document.answer')
  return { '2XX': { description, headers, content } }
}

/** Returns the id of an operation: `getQueuesByNamespaceName` for `GET /api/v1/queues/{namespace}/{name}`. */
function operationId({ method, path }: AnyEndpoint): string {
  const parts = path.replace(/^\/api\/v1\//, '').split('/')
  const capital = (text: string): string =>
    text.replaceAll(/(?:^|[-.])(\w)/g, (_, letter: string) => letter.toUpperCase())
  const fixed = parts.filter((part) => !part.startsWith('{')).map(capital)
  const given = parts.filter((part) => part.startsWith('{')).map((part) => capital(part.slice(1, -1)))
  return `${method.toLowerCase()}${fixed.join('')}${given.length === 0 ? '' : `By${given.join('')}`}`
}

function parametersOf(one: AnyEndpoint, schemas: Schemas): unknown[] {
  const inPath = [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const ref = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` })
  return [
    ...inPath,
    ...queryParameters(one, schemas),
    ref('RequestId'),
    ...(one.kind === 'action' ? [ref('IdempotencyKey')] : []),
    ...(one.kind === 'action' && inPath.length > 0 ? [ref('IfMatch')] : []),
  ]
}

function queryParameters({ query }: AnyEndpoint, schemas: Schemas): unknown[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemas.of(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }))
}

interface JsonSchema {
  $defs?: Record<string, Json & { id?: string }>
  [part: string]: unknown
}

/** The schemas of the document. Named schemas are shared and referenced. */
class Schemas {
  readonly named: Record<string, unknown> = {}

  constructor(readonly text: Text) {}

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const json = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
    const whole = JSON.parse(json.replaceAll('"#/$defs/', `"${SCHEMA_PREFIX}`)) as JsonSchema
    const { $schema: _, $defs = {}, id, ...definition } = inLanguage(this.text)(whole)
    for (const [name, { id: __, ...shared }] of Object.entries($defs)) this.named[name] = shared
    if (typeof id !== 'string') return definition
    this.named[id] = definition
    return { $ref: SCHEMA_PREFIX + id }
  }
}

/** Renders every description in a part of the document; each is a message code. */
const inLanguage =
  (text: Text) =>
  <T>(part: T): T =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? text.of({ code: value as MessageCode }) : value,
    ) as T

function sorted(record: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
