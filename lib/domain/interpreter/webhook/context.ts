/** Builds requests to interpreter webhooks and reads their responses, both as a ResourceInterpreterContext. */
import { decodeBase64 } from '../../../std/base64'
import type { BindingComponent } from '../../../kube/kinds/binding'
import type { Manifest } from '../../../kube/manifest'
import type { UnknownObject } from '../../../kube/object'
import { applyJsonPatch, type JsonPatchOperation } from '../../../kube/patch'
import {
  componentsIn,
  dependenciesIn,
  healthIn,
  manifestOf,
  mergedDependencies,
  replicasIn,
  type ScriptedOperation,
} from '../customization'
import type { DependencyReference } from '../dependencies'
import { InterpretError } from '../interpret-error'
import type { MemberStatus } from '../member-status'
import type { Replicas } from '../pod-requirements'
import { asObject, type Fields } from '../shape'
import { HOOK_OPERATIONS } from './hooks'

/** Input of a request to a webhook. */
export interface HookQuestion {
  operation: ScriptedOperation
  object: UnknownObject | Manifest
  /** The member's object, from which fields are retained. */
  observed?: UnknownObject
  /** New number of replicas. */
  replicas?: number
  items?: readonly MemberStatus[]
}

/** Returns the request. Throws an InterpretError if the webhook does not support a known version. */
export function contextOf(uid: string, versions: readonly string[], question: HookQuestion): object {
  const { operation, object, observed, replicas = 0, items } = question
  if (!versions.includes('v1alpha1')) {
    // upstream: Karmada resource interpreter
    throw new InterpretError('webhook does not accept known ResourceInterpreterContext versions (v1alpha1)')
  }
  const { apiVersion, kind, metadata } = object
  const slash = apiVersion.indexOf('/')
  return {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterContext',
    request: {
      uid,
      kind: { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind },
      name: metadata.name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      operation: HOOK_OPERATIONS[operation],
      object,
      replicas,
      ...(observed && { observedObject: observed }),
      ...(items && { aggregatedStatus: items }),
    },
  }
}

/**
 * Returns the response to the request with that UID. Throws an InterpretError if it is invalid or reports a failure.
 */
export function responseIn(uid: string, context: unknown): Fields {
  const response = typeof context === 'object' && context !== null ? (context as Fields).response : undefined
  // upstream: Karmada resource interpreter
  if (typeof response !== 'object' || response === null) throw new InterpretError('webhook response was absent')
  const { uid: answered, successful, status } = response as Fields
  if (answered !== uid) {
    throw new InterpretError(`expected response.uid ${JSON.stringify(uid)}, got ${JSON.stringify(answered ?? '')}`)
  }
  if (successful === true) return response as Fields
  if (typeof status !== 'object' || status === null) {
    // upstream: the same
    throw new InterpretError('webhook require response.status when response.successful is false')
  }
  const { code = 0, message = '' } = status as Fields
  // upstream: the same
  throw new InterpretError(`webhook call failed, get status code: ${String(code)}, msg: ${String(message)}`)
}

/** Readers of responses by operation. All throw an InterpretError for a response of another form. */
export const hookAnswers = {
  health: ({ healthy }: Fields): boolean => healthIn([present('healthy', healthy)]),
  replicas: ({ replicas, replicaRequirements }: Fields): Replicas =>
    replicasIn([present('replicas', replicas), replicaRequirements]),
  components: ({ components }: Fields): BindingComponent[] => componentsIn([components]),
  reflect: ({ rawStatus }: Fields): Fields => asObject(present('rawStatus', rawStatus), 'response.rawStatus'),
  dependencies: ({ dependencies }: Fields): DependencyReference[] =>
    mergedDependencies([dependenciesIn([dependencies])]),
}

function present(field: string, value: unknown): unknown {
  if (value !== undefined && value !== null) return value
  // upstream: Karmada resource interpreter
  throw new InterpretError(`webhook returned nil response.${field}`)
}

/**
 * Applies the patch of a response to the object. Throws an InterpretError if the patch is invalid or cannot be applied.
 */
export function patchedBy({ patch, patchType }: Fields, object: object): Manifest {
  if (!patch && !patchType) return object as Manifest
  // upstream: Karmada resource interpreter
  if (!patch) throw new InterpretError('webhook returned empty response.patch')
  if (patchType !== 'JSONPatch') {
    throw new InterpretError(`webhook returned invalid response.patchType of ${JSON.stringify(patchType ?? '')}`)
  }
  try {
    const operations = JSON.parse(decodeBase64(String(patch)) ?? '') as JsonPatchOperation[]
    return manifestOf('the patch', applyJsonPatch(object, operations))
  } catch (error) {
    throw new InterpretError(error instanceof Error ? error.message : String(error))
  }
}
