/** How an API server reads an object of a kind that is compiled into it. */
import { kubeError } from './errors'
import { encodeLikeGo, type PointerFields } from './go-encoding'
import type { Kind } from './kind'
import type { StructuralSchema } from './schema'
import { typeNameOf } from './schema-validate'

/** Optional fields of built-in kinds in which zero, false and the empty text mean something. */
const pointers: PointerFields = new Set([
  'activeDeadlineSeconds',
  'allocateLoadBalancerNodePorts',
  'allowPrivilegeEscalation',
  'appProtocol',
  'automountServiceAccountToken',
  'backoffLimit',
  'backoffLimitPerIndex',
  'blockOwnerDeletion',
  'collisionCount',
  'completions',
  'controller',
  'defaultMode',
  'deletionGracePeriodSeconds',
  'enableServiceLinks',
  'expirationSeconds',
  'fsGroup',
  'holderIdentity',
  'hostUsers',
  'hostnameOverride',
  'immutable',
  'leaseDurationSeconds',
  'leaseTransitions',
  'manualSelector',
  'maxFailedIndexes',
  'maxSurge',
  'maxUnavailable',
  'minDomains',
  'mode',
  'optional',
  'parallelism',
  'partition',
  'preferredHolder',
  'priority',
  'privileged',
  'progressDeadlineSeconds',
  'readOnlyRootFilesystem',
  'revisionHistoryLimit',
  'runAsGroup',
  'runAsNonRoot',
  'runAsUser',
  'runtimeClassName',
  'setHostnameAsFQDN',
  'shareProcessNamespace',
  'spec.replicas',
  'started',
  'status.ready',
  'suspend',
  'terminatingReplicas',
  'terminationGracePeriodSeconds',
  'tolerationSeconds',
  'ttlSecondsAfterFinished',
])

/**
 * The object as a typed server understands it. Throws a KubeError (400) for a value of the wrong type. Unknown fields
 * are expected to be gone.
 */
export function decodeBuiltin(object: unknown, kind: Pick<Kind, 'kind' | 'version' | 'schema'>): unknown {
  const mismatch = findMismatch(object, kind.schema, '')
  if (mismatch) {
    throw kubeError(
      400,
      'BadRequest',
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${mismatch}`,
    )
  }
  return encodeLikeGo(object, kind.schema, pointers)
}

/** What a decoder says about the first value whose type does not fit; undefined when all fit. */
export function findMismatch(value: unknown, schema: StructuralSchema, path: string): string | undefined {
  if (value === null || value === undefined) return undefined
  const actual = typeNameOf(value)
  if (!fits(actual, schema)) {
    const shown =
      actual === 'number'
        ? `number ${String(value)}`
        : actual === 'integer'
          ? 'number'
          : actual === 'boolean'
            ? 'bool'
            : actual
    return `json: cannot unmarshal ${shown} into Go struct field ${path} of type ${goTypeOf(schema)}`
  }
  for (const [child, own, childPath] of childrenOf(value, schema, path)) {
    const mismatch = findMismatch(child, own, childPath)
    if (mismatch) return mismatch
  }
  return undefined
}

function fits(actual: string, schema: StructuralSchema): boolean {
  if (schema['x-kubernetes-int-or-string']) return actual === 'integer' || actual === 'string' || actual === 'number'
  return schema.type === undefined || schema.type === actual || (schema.type === 'number' && actual === 'integer')
}

function goTypeOf(schema: StructuralSchema): string {
  switch (schema.type) {
    case 'integer':
      return schema.format ?? 'int'
    case 'boolean':
      return 'bool'
    case 'number':
      return 'float64'
    case 'array':
      return `[]${goTypeOf(schema.items ?? {})}`
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? `map[string]${goTypeOf(schema.additionalProperties)}`
        : 'struct'
    default:
      return schema.type ?? 'intstr.IntOrString'
  }
}

type Child = [value: unknown, schema: StructuralSchema, path: string]

function childrenOf(value: unknown, schema: StructuralSchema, path: string): Child[] {
  if (Array.isArray(value)) return schema.items ? value.map((item): Child => [item, schema.items!, path]) : []
  if (typeof value !== 'object' || value === null) return []
  const values = schema.additionalProperties
  return Object.entries(value).flatMap(([name, child]): Child[] => {
    const own = schema.properties?.[name] ?? (typeof values === 'object' ? values : undefined)
    return own ? [[child, own, path ? `${path}.${name}` : name]] : []
  })
}
