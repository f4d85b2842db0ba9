/** The zero object of a typed server: its fields are not owned by the creator. */
import type { Kind } from '../kind'
import type { StructuralSchema } from '../schema'

/** Structs that are embedded by value although they are optional. */
const EMBEDDED: ReadonlySet<string> = new Set([
  'metadata',
  'spec',
  'status',
  'template',
  'jobTemplate',
  'strategy',
  'updateStrategy',
  'loadBalancer',
  'source',
  'involvedObject',
  'names',
  'acceptedNames',
  'podSelector',
  'scaleTargetRef',
  'roleRef',
  'nodeInfo',
  'daemonEndpoints',
  'kubeletEndpoint',
  'PersistentVolumeClaim/resources',
])

const zeros = new WeakMap<StructuralSchema, object>()

/** Returns the zero value of a kind; empty for custom kinds. */
export function zeroObject(kind: Pick<Kind, 'kind' | 'schema' | 'origin'>): object {
  if (kind.origin === 'crd') return {}
  const known = zeros.get(kind.schema)
  if (known) return known
  const zero = zeroOf(kind.schema, kind.kind)
  zeros.set(kind.schema, zero)
  return zero
}

function zeroOf(schema: StructuralSchema, kind: string): object {
  const fields: [string, unknown][] = []
  for (const [name, own] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(name) ?? false
    if (own.type === 'array' && required) fields.push([name, null])
    if (own.type !== 'object' || own['x-kubernetes-map-type'] === 'atomic') continue
    if (required || EMBEDDED.has(name) || EMBEDDED.has(`${kind}/${name}`)) fields.push([name, zeroOf(own, kind)])
  }
  return Object.fromEntries(fields)
}
