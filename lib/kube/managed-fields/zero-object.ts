/** The zero object of a typed server: its fields are not owned by the creator. */
import { ownField } from '@/lib/std/fields'
import { apiVersionOf, type Kind } from '../kind'
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

/** Structs of those names that are pointers in one kind. */
const POINTERS: ReadonlySet<string> = new Set(['ReplicationController/template'])

/** Fields that are written also when they are empty, besides structs and required lists. */
const WRITTEN_EMPTY: Readonly<Record<string, object>> = {
  'v1/Event': {
    eventTime: null,
    firstTimestamp: null,
    lastTimestamp: null,
    reportingComponent: '',
    reportingInstance: '',
  },
  'events.k8s.io/v1/Event': {
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  },
  'scheduling.k8s.io/v1/PriorityClass': { value: 0 },
  'rbac.authorization.k8s.io/v1/Role': { rules: null },
  'rbac.authorization.k8s.io/v1/ClusterRole': { rules: null },
  'networking.k8s.io/v1/NetworkPolicy': { spec: { podSelector: {} } },
  'apps/v1/ControllerRevision': { revision: 0 },
}

const zeros = new WeakMap<StructuralSchema, object>()

/** Returns the zero value of a kind; empty for custom kinds. */
export function zeroObject(kind: Pick<Kind, 'group' | 'version' | 'kind' | 'schema' | 'origin'>): object {
  if (kind.origin === 'crd') return {}
  const known = zeros.get(kind.schema)
  if (known) return known
  const zero = { ...zeroOf(kind.schema, kind.kind), ...ownField(WRITTEN_EMPTY, `${apiVersionOf(kind)}/${kind.kind}`) }
  zeros.set(kind.schema, zero)
  return zero
}

function zeroOf(schema: StructuralSchema, kind: string): object {
  const fields: [string, unknown][] = []
  for (const [name, own] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(name) ?? false
    if (own.type === 'array' && required) fields.push([name, null])
    if (own.type !== 'object' || own['x-kubernetes-map-type'] === 'atomic') continue
    if (POINTERS.has(`${kind}/${name}`)) continue
    if (required || EMBEDDED.has(name) || EMBEDDED.has(`${kind}/${name}`)) fields.push([name, zeroOf(own, kind)])
  }
  return Object.fromEntries(fields)
}
