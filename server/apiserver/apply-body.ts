/** The body of a server-side apply: YAML, or JSON, which is YAML too. */
import type { UnknownObject } from '@/lib/kube/object'
import { isValueTooDeep } from '@/lib/std/json-bounds'
import type { Call } from './call'
import { badRequest } from './failures'
import type { FieldValidation } from './field-validation'
import { readYamlBody } from './yaml/yaml'

/** The object in the body. Throws 400 for other content, and for duplicate keys with strict validation. */
export async function readConfiguration(call: Call, validation: FieldValidation): Promise<UnknownObject> {
  const { value, repeated } = await parse(await call.body())
  if (isValueTooDeep(value)) throw badRequest('error decoding YAML: error converting YAML to JSON: exceeded max depth')
  if (repeated !== undefined && validation === 'Strict') throw badRequest(`error strict decoding YAML: ${repeated}`)
  if (repeated !== undefined && validation === 'Warn') call.warn(repeated)
  if (value === null || value === undefined) return {} as UnknownObject
  if (typeof value === 'object' && !Array.isArray(value)) return value as UnknownObject
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  throw badRequest(
    'error decoding YAML: error unmarshaling JSON: while decoding JSON: '
      + `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
  )
}

interface Parsed {
  value: unknown
  /** Messages about duplicate keys. */
  repeated?: string
}

async function parse(body: string): Promise<Parsed> {
  try {
    return { value: JSON.parse(body) }
  } catch {
    return await parseYaml(body)
  }
}

async function parseYaml(body: string): Promise<Parsed> {
  const refuse = (detail: string): unknown =>
    badRequest(`error decoding YAML: error converting YAML to JSON: yaml: ${detail}`)
  const { value, repeatedLines } = await readYamlBody(body, refuse)
  if (repeatedLines.length === 0) return { value }
  const lines = repeatedLines.map((line) => `  line ${line}: key already set in map`)
  return { value, repeated: `error converting YAML to JSON: yaml: unmarshal errors:\n${lines.join('\n')}` }
}
