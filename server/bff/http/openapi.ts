/** The document of the API (OpenAPI 3.1), made of what the endpoints say of themselves. */
import { z } from 'zod'
import { english } from '@/lib/messages/english'
import { PROBLEMS, problemSchema, type ProblemReason } from '@/lib/view/problems'
import { type AnyEndpoint, endpoint } from './endpoint'

type Json = Readonly<Record<string, unknown>>

const SCHEMA_PREFIX = '#/components/schemas/'

/** GET /api/v1/openapi.json, about these endpoints and itself. */
export function openApiEndpoint(endpoints: readonly AnyEndpoint[]): AnyEndpoint {
  let document: Record<string, unknown> | undefined
  const self: AnyEndpoint = endpoint({
    method: 'GET',
    path: '/api/v1/openapi.json',
    kind: 'query',
    tag: 'Control plane',
    summary: 'Read this document',
    response: z.record(z.string(), z.unknown()),
    perform: (): Record<string, unknown> => (document ??= describeApi([...endpoints, self])),
  })
  return self
}

/** The document. */
export function describeApi(endpoints: readonly AnyEndpoint[]): Record<string, unknown> {
  const schemas: Record<string, unknown> = {}
  const shared = endpoints.filter(({ path }) => path.startsWith('/api/'))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const one of shared) {
    paths[one.path] = { ...paths[one.path], [one.method.toLowerCase()]: operationOf(one, schemas) }
  }
  const problem = schemaOf(problemSchema, 'output', schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Evenkeel',
      version: 'v1',
      description:
        'Queries and actions of the console. Every call acts as its user: what the API server refuses them, '
        + 'it refuses here. '
        + 'Refusals are problem details (RFC 9457); `reason` is what programs go by.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(shared.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{ cookie: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: sorted(schemas),
      responses: responsesOf(problem),
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY,
    },
  }
}

const SECURITY = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'evenkeel',
    description:
      'The session of a browser, after login. Its name is completed by what keeps consoles apart on one host.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A token that the API server accepts, with each request.' },
}

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description:
      'Under one key an action is carried out once: for a day the same request is answered as it was the '
      + 'first time, '
      + 'with `Idempotency-Replayed: true`. The console’s pages send one with each action.',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description:
      'The ETag of the object as it was read; it moves with what is asked for, not with every report of the '
      + 'status. '
      + 'When it has changed since, nothing is done, and the answer (412) says who changed it.',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    schema: { type: 'string', pattern: '^[\\w.:-]{8,128}$' },
    description: 'Names the request in logs, audit log and problems. Chosen by the server where it is absent.',
  },
}

const HEADERS = {
  RequestId: { schema: { type: 'string' }, description: 'The id of the request.' },
  ETag: { schema: { type: 'string' }, description: 'The version of the object; for If-Match.' },
  StaleSince: {
    schema: { type: 'string', format: 'date-time' },
    description: 'The control plane does not answer since then: this is what was known.',
  },
  Limit: { schema: { type: 'integer' }, description: 'Requests of this sort that a user may send in a minute.' },
  Remaining: { schema: { type: 'integer' }, description: 'Those that are left.' },
  Reset: { schema: { type: 'integer' }, description: 'Seconds until all are there again.' },
}

const SENT_HEADERS = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'RateLimit-Limit': { $ref: '#/components/headers/Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/Reset' },
}

const REASONS = Object.keys(PROBLEMS) as ProblemReason[]
const titleOf = (reason: ProblemReason): string => english(`api.problem.${reason}.title`)

/** One response for each reason, so that every problem is documented once. */
function responsesOf(problem: unknown): Json {
  return Object.fromEntries(
    REASONS.map((reason) => [
      reason,
      {
        description: english('api.problem.described', {
          title: titleOf(reason),
          advice: english(`api.problem.${reason}.advice`),
        }),
        headers: { 'X-Request-Id': SENT_HEADERS['X-Request-Id'] },
        content: {
          'application/problem+json': {
            schema: problem,
            example: { status: PROBLEMS[reason], reason, title: titleOf(reason) },
          },
        },
      },
    ]),
  )
}

/** What may be answered instead of what was asked for. */
function problemsOf(one: AnyEndpoint): readonly ProblemReason[] {
  return REASONS.filter((reason) => {
    switch (reason) {
      case 'MethodNotAllowed':
      case 'Malformed':
      case 'RequestTimeout':
      case 'UriTooLong':
      case 'HeadersTooLarge':
        // Of the connection, before any operation is meant.
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

function operationOf(one: AnyEndpoint, schemas: Record<string, unknown>): Json {
  const byStatus = Map.groupBy(problemsOf(one), (reason) => PROBLEMS[reason])
  const problems = [...byStatus].map(([status, reasons]) => [
    status,
    reasons.length === 1 ? { $ref: `#/components/responses/${reasons[0]}` } : several(reasons),
  ])
  return {
    operationId: operationId(one),
    tags: [one.tag],
    summary: one.summary,
    ...(one.description !== undefined && { description: one.description }),
    'x-evenkeel-kind': one.kind,
    ...('open' in one && { security: [] }),
    parameters: parametersOf(one, schemas),
    ...(one.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(one.body, 'input', schemas) } },
      },
    }),
    responses: { ...successOf(one, schemas), ...(Object.fromEntries(problems) as Json) },
  }
}

const several = (reasons: readonly ProblemReason[]): Json => ({
  description: reasons.map((reason) => english('api.problem.named', { reason, title: titleOf(reason) })).join(' '),
  content: { 'application/problem+json': { schema: { $ref: `${SCHEMA_PREFIX}Problem` } } },
})

function successOf(one: AnyEndpoint, schemas: Record<string, unknown>): Json {
  const read = one.method === 'GET'
  const headers = {
    ...SENT_HEADERS,
    ...(read && { 'Evenkeel-Stale-Since': { $ref: '#/components/headers/StaleSince' } }),
    ...(read && one.path.endsWith('}') && { ETag: { $ref: '#/components/headers/ETag' } }),
  }
  const content = { 'application/json': { schema: schemaOf(one.response, 'output', schemas) } }
  return {
    '2XX': { description: one.kind === 'action' ? 'It is done, or asked for.' : 'The answer.', headers, content },
  }
}

/** `GET /api/v1/queues/{namespace}/{name}` is `getQueuesByNamespaceName`. */
function operationId({ method, path }: AnyEndpoint): string {
  const parts = path.replace(/^\/api\/v1\//, '').split('/')
  const capital = (text: string): string =>
    text.replaceAll(/(?:^|[-.])(\w)/g, (_, letter: string) => letter.toUpperCase())
  const fixed = parts.filter((part) => !part.startsWith('{')).map(capital)
  const given = parts.filter((part) => part.startsWith('{')).map((part) => capital(part.slice(1, -1)))
  return `${method.toLowerCase()}${fixed.join('')}${given.length === 0 ? '' : `By${given.join('')}`}`
}

function parametersOf(one: AnyEndpoint, schemas: Record<string, unknown>): unknown[] {
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

function queryParameters({ query }: AnyEndpoint, schemas: Record<string, unknown>): unknown[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemaOf(query, 'input', schemas) as {
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

/** The JSON schema; what has a name of its own goes to the shared ones, and is referred to. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, unknown>): Json {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  const {
    $schema: _,
    $defs = {},
    ...whole
  } = JSON.parse(text.replaceAll('"#/$defs/', `"${SCHEMA_PREFIX}`)) as JsonSchema
  for (const [name, { id: __, ...definition }] of Object.entries($defs)) schemas[name] = definition
  const { id, ...definition } = whole
  if (typeof id !== 'string') return definition
  schemas[id] = definition
  return { $ref: SCHEMA_PREFIX + id }
}

function sorted(record: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
