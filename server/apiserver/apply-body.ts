/** The body of a server-side apply: YAML, or JSON, which is YAML too. */
import { parseDocument } from 'yaml'
import type { UnknownObject } from '@/lib/kube/object'
import type { Call } from './call'
import { badRequest } from './failures'
import type { FieldValidation } from './field-validation'
import { isValueTooDeep } from './nesting'

/** The object in the body. Throws 400 for what is none, and for keys given twice when validation is strict. */
export async function readConfiguration(call: Call, validation: FieldValidation): Promise<UnknownObject> {
  const { value, repeated } = parse(await call.body())
  if (isValueTooDeep(value)) throw badRequest('error decoding YAML: error converting YAML to JSON: exceeded max depth')
  if (repeated !== undefined && validation === 'Strict') throw badRequest(`error strict decoding YAML: ${repeated}`)
  if (repeated !== undefined && validation === 'Warn') call.warn(repeated)
  if (value === null || value === undefined) return {} as UnknownObject
  if (typeof value === 'object' && !Array.isArray(value)) return value as UnknownObject
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  throw badRequest(
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: ' +
      `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
  )
}

interface Parsed {
  value: unknown
  /** What is said about keys given twice. */
  repeated?: string
}

function parse(body: string): Parsed {
  try {
    return { value: JSON.parse(body) }
  } catch {
    return parseYaml(body)
  }
}

/** Times stay texts, and so do numbers with colons: neither is a type of its own in JSON. */
const isUnusual = (type: { tag: string; format?: string }): boolean => (
  type.tag.endsWith(':timestamp') || type.format === 'TIME'
)

function parseYaml(body: string): Parsed {
  const document = parseDocument(body, {
    version: '1.1',
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !isUnusual(tag)),
  })
  const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY')
  if (broken) throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${broken.message}`)
  const lines = document.errors.map(({ linePos }) => `  line ${linePos?.[0].line ?? 0}: key already set in map`)
  const value = valueOf(document)
  if (lines.length === 0) return { value }
  return { value, repeated: `error converting YAML to JSON: yaml: unmarshal errors:\n${lines.join('\n')}` }
}

function valueOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${(error as Error).message}`)
  }
}
