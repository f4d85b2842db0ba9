/** The document of the API as the page draws it. */

/** A JSON schema, as far as it is drawn. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  description?: string
  format?: string
}

export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

export interface ApiOperation {
  /** Names its place on the page. */
  id: string
  method: string
  path: string
  kind: 'query' | 'action'
  /** The operation needs no login. */
  open: boolean
  summary: string
  description?: string
  parameters: ApiParameter[]
  body?: Schema
  answer: Schema
  /** What may be answered instead. */
  problems: { status: string; description: string }[]
}

export interface ApiReference {
  sections: { tag: string; operations: ApiOperation[] }[]
  schemas: { name: string; schema: Schema }[]
  problems: { reason: string; status?: number; description: string }[]
}

interface RawOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  'x-evenkeel-kind': 'query' | 'action'
  security?: unknown[]
  parameters: (ApiParameter | { $ref: string })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref: string } | { description: string; content?: Record<string, { schema: Schema }> }>
}

interface RawDocument {
  tags: { name: string }[]
  paths: Record<string, Record<string, RawOperation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, ApiParameter>
    responses: Record<string, { description: string; content: Record<string, { example?: { status?: number } }> }>
  }
}

/** The page of a document that our own server made. */
export function readReference(document: unknown): ApiReference {
  const { tags, paths, components } = document as RawDocument
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      tag: raw.tags[0],
      operation: operationOf({ path, method, raw }, components),
    })),
  )
  return {
    sections: tags.map(({ name }) => ({
      tag: name,
      operations: all.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    })),
    schemas: Object.entries(components.schemas).map(([name, schema]) => ({ name, schema })),
    problems: Object.entries(components.responses).map(([reason, { description, content }]) => ({
      reason,
      description,
      ...(Object.values(content)[0]?.example?.status !== undefined && {
        status: Object.values(content)[0]?.example?.status,
      }),
    })),
  }
}

function operationOf(
  { path, method, raw }: { path: string; method: string; raw: RawOperation },
  { parameters, responses }: RawDocument['components'],
): ApiOperation {
  const body = raw.requestBody?.content['application/json']?.schema
  const success = raw.responses['2XX']
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    kind: raw['x-evenkeel-kind'],
    open: raw.security?.length === 0,
    summary: raw.summary,
    ...(raw.description !== undefined && { description: raw.description }),
    ...(body && { body }),
    parameters: raw.parameters.flatMap((one) => ('$ref' in one ? (parameters[nameOf(one.$ref)] ?? []) : one)),
    answer: (success && 'content' in success && success.content?.['application/json']?.schema) || {},
    problems: Object.entries(raw.responses)
      .filter(([status]) => status !== '2XX')
      .map(([status, response]) => ({
        status,
        description: '$ref' in response ? (responses[nameOf(response.$ref)]?.description ?? '') : response.description,
      })),
  }
}

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

const MAX_INLINE = 60

/** A schema as a type that people read: names of shared schemas as they are, fields line by line with what they mean. */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return [...new Set(alternatives.map((one) => typeText(one, indent)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((one) => typeText(one, indent)).join(' & ')
  if (schema.type === 'array') return arrayText(schema.items ?? {}, indent)
  if (schema.properties) return objectText(schema, indent)
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object'
      ? `{ [name]: ${typeText(schema.additionalProperties, indent)} }`
      : 'object'
  if (schema.format === 'date-time') return 'time'
  return [schema.type ?? 'anything'].flat().join(' | ')
}

function arrayText(items: Schema, indent: string): string {
  const text = typeText(items, indent)
  return text.includes(' | ') && !text.startsWith('{') ? `(${text})[]` : `${text}[]`
}

function objectText({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const note = schema.description === undefined ? '' : `  // ${schema.description}`
    return `${name}${required.includes(name) ? '' : '?'}: ${typeText(schema, inner)}${note}`
  })
  const inline = `{ ${lines.join('; ')} }`
  if (lines.length === 0) return '{}'
  if (inline.length <= MAX_INLINE && !inline.includes('\n') && !inline.includes('//')) return inline
  return `{\n${lines.map((line) => inner + line).join('\n')}\n${indent}}`
}

/** How a script calls it: a token in an environment variable, never in the line. */
export function curlText({ method, path, body, kind, open }: ApiOperation, origin: string): string {
  const address = `${origin}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}`
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${address}'`,
    ...(open ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(kind === 'action' ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", '-d @body.json'] : []),
  ]
  return parts.join(' \\\n  ')
}
