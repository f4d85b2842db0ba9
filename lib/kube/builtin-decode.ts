/** How an API server reads an object of a kind that is compiled into it. */
import { kubeError, type KubeError } from './errors'
import { encodeLikeGo, type PointerFields } from './go-encoding'
import type { Kind } from './kind'
import type { StructuralSchema } from './schema'

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
  'service.port',
  'spec.replicas',
  'started',
  'status.ready',
  'suspend',
  'terminatingReplicas',
  'terminationGracePeriodSeconds',
  'tolerationSeconds',
  'ttlSecondsAfterFinished',
  'webhooks.timeoutSeconds',
])

/** The object as a typed server understands it. Types are expected to fit, and unknown fields to be gone. */
export function decodeBuiltin(object: unknown, schema: StructuralSchema): unknown {
  return encodeLikeGo(object, schema, pointers)
}

/** The refusal (400) of an object that cannot be read as its kind. */
export function undecodable({ kind, version }: Pick<Kind, 'kind' | 'version'>, mismatch: string): KubeError {
  return kubeError(400, 'BadRequest', `${kind} in version "${version}" cannot be handled as a ${kind}: ${mismatch}`)
}
