/** The rules of what workloads bring along: schedules, storage, traffic, budgets and limits. */
import { omit } from '@/lib/std/omit'
import { placeSources } from './defaults/claim'
import { defaultEndpoints, defaultEndpointSlice, defaultIngress, defaultNetworkPolicy } from './defaults/network'
import {
  defaultAutoscaler,
  defaultBudget,
  defaultLimitRange,
  defaultPriorityClass,
  defaultQuota,
} from './defaults/policy'
import { defaultClaim, defaultStorageClass, defaultVolumeResource, stampPhase, startVolume } from './defaults/storage'
import {
  defaultCronJob,
  defaultJob,
  defaultReplicationController,
  defaultStoredPodTemplate,
} from './defaults/workloads'
import type { PodTemplate, ServiceAccount } from './kinds'
import { horizontalPodAutoscalerV1 } from './kinds/horizontal-pod-autoscaler-v1'
import type { UnknownObject } from './object'
import { type KindRules, typed } from './rules'
import { selectOwnPods, validateCronJob, validateJob, validateJobUpdate } from './validation/batch'
import { validateEndpoints, validateEndpointSlice, validateEndpointSliceUpdate } from './validation/endpoints'
import { checkDeclaredName, checkPathSegment } from './validation/formats'
import { validateEventV1, validateEventV1Update } from './validation/event-v1'
import { validateJobStatus } from './validation/job-status'
import {
  validateLimitRange,
  validateQuotaStatus,
  validateQuotaUpdate,
  validateResourceQuota,
} from './validation/limits'
import { validateIngress, validateIngressStatus, validateNetworkPolicy } from './validation/network'
import {
  validateAutoscaler,
  validateAutoscalerStatus,
  validateBudget,
  validateBudgetStatus,
  validatePriorityClass,
  validatePriorityClassUpdate,
  validateLease,
  validateRevision,
  validateRevisionUpdate,
} from './validation/policy'
import { validateReplicaStatus } from './validation/replica-status'
import {
  validateClaim,
  validateClaimStatus,
  validateClaimUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
} from './validation/storage'
import { apiServiceRules } from './validation/api-service'
import { certificateRules } from './validation/certificates'
import { validateVolume, validateVolumeUpdate } from './validation/persistent-volume'
import { validateTemplate } from './validation/pod'
import { validateReplicationController } from './validation/workloads'

export const resourceRules: Readonly<Record<string, KindRules>> = {
  Job: {
    generation: 'spec',
    applyDefaults: typed(defaultJob),
    prepareForCreate: selectOwnPods,
    completeCreated: typed(defaultJob),
    validate: validateJob,
    validateUpdate: validateJobUpdate,
    validateStatus: validateJobStatus,
  },
  CronJob: { generation: 'spec', applyDefaults: typed(defaultCronJob), validate: validateCronJob },
  ReplicationController: {
    checkName: checkDeclaredName,
    generation: 'spec',
    applyDefaults: typed(defaultReplicationController),
    validate: validateReplicationController,
    validateStatus: validateReplicaStatus('ReplicationController'),
  },
  PodTemplate: {
    generation: 'content',
    countsEmpty: ({ template }) => ({ template }),
    applyDefaults: typed(defaultStoredPodTemplate),
    validate: ({ template }) => validateTemplate(template as PodTemplate, 'template'),
  },
  ControllerRevision: {
    applyDefaults: (one) => ({ ...one, revision: (one as { revision?: number }).revision ?? 0 }),
    validate: validateRevision,
    validateUpdate: validateRevisionUpdate,
  },
  Lease: {
    applyDefaults: (lease) => ({
      ...lease,
      spec: omit((lease.spec ?? {}) as Record<string, unknown>, ...GATED_IN_LEASES),
    }),
    validate: validateLease,
  },
  ServiceAccount: {
    // Of a secret only its name is kept.
    complete: ({ secrets, ...account }) => {
      const named = (secrets as ServiceAccount['secrets'])?.map(({ name }) => (name === undefined ? {} : { name }))
      return { ...account, ...(named && { secrets: named }) }
    },
  },
  Ingress: {
    generation: 'spec',
    applyDefaults: typed(defaultIngress),
    validate: validateIngress,
    validateStatus: validateIngressStatus,
  },
  NetworkPolicy: {
    generation: 'spec',
    countsEmpty: comparedPolicy,
    applyDefaults: typed(defaultNetworkPolicy),
    validate: validateNetworkPolicy,
  },
  Endpoints: { applyDefaults: typed(defaultEndpoints), validate: validateEndpoints },
  EndpointSlice: {
    generation: 'content-and-labels',
    applyDefaults: typed(defaultEndpointSlice),
    validate: validateEndpointSlice,
    validateUpdate: validateEndpointSliceUpdate,
  },
  PersistentVolumeClaim: {
    applyDefaults: typed(defaultClaim),
    complete: placeSources,
    validate: validateClaim,
    validateUpdate: validateClaimUpdate,
    validateStatus: validateClaimStatus,
  },
  PersistentVolume: {
    applyDefaults: typed(defaultVolumeResource),
    prepareForCreate: startVolume,
    prepareForStatus: stampPhase,
    validate: validateVolume,
    validateUpdate: validateVolumeUpdate,
  },
  StorageClass: {
    applyDefaults: typed(defaultStorageClass),
    validate: validateStorageClass,
    validateUpdate: validateStorageClassUpdate,
  },
  PodDisruptionBudget: {
    checkName: checkPathSegment,
    generation: 'spec',
    applyDefaults: typed(defaultBudget),
    validate: validateBudget,
    validateStatus: validateBudgetStatus,
  },
  HorizontalPodAutoscaler: {
    applyDefaults: typed(defaultAutoscaler),
    validate: validateAutoscaler,
    validateStatus: validateAutoscalerStatus,
  },
  PriorityClass: {
    generation: 'spec',
    applyDefaults: typed(defaultPriorityClass),
    validate: validatePriorityClass,
    validateUpdate: validatePriorityClassUpdate,
  },
  ResourceQuota: {
    applyDefaults: typed(defaultQuota),
    validate: validateResourceQuota,
    validateUpdate: validateQuotaUpdate,
    validateStatus: validateQuotaStatus,
  },
  LimitRange: {
    applyDefaults: typed(defaultLimitRange),
    // Ranges had no names once.
    prepareForCreate: (range, { uid }) =>
      range.metadata.name ? range : { ...range, metadata: { ...range.metadata, name: uid() } },
    validate: validateLimitRange,
  },
  CertificateSigningRequest: certificateRules,
  APIService: apiServiceRules,
}

/** The types of a policy have a default. */
function comparedPolicy({ spec }: UnknownObject): object {
  return { spec: omit((spec ?? {}) as { policyTypes?: unknown }, 'policyTypes') }
}

/** The rules of kinds that show the objects of another version or group, by `group/version`. */
export const otherFormRules: Readonly<Record<string, KindRules>> = {
  'autoscaling/v1': {
    applyDefaults: withLeastReplicas,
    validate: (object, old) => validateAutoscaler(inStoredForm(object), old && inStoredForm(old)),
    validateStatus: validateAutoscalerStatus,
  },
  'events.k8s.io/v1': {
    applyDefaults: (event) => ({ ...EVENT_FIELDS, ...event }),
    validate: validateEventV1,
    validateUpdate: validateEventV1Update,
  },
}

/** Its share of CPU is one of the metrics. What annotations hold is not judged. */
function inStoredForm(object: UnknownObject): UnknownObject {
  const plain = { ...object, metadata: omit(object.metadata, 'annotations') }
  return horizontalPodAutoscalerV1.storedAs?.write(plain) ?? plain
}

/** Fields that need a gate that is closed by default. */
const GATED_IN_LEASES = ['strategy', 'preferredHolder'] as const

/** Events show these fields even when the client does not set them. */
const EVENT_FIELDS = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
}

/** Without a target and without other metrics, which this version keeps in an annotation, the target is 80 %. */
function withLeastReplicas(object: UnknownObject): UnknownObject {
  const others = object.metadata.annotations?.['autoscaling.alpha.kubernetes.io/metrics']
  const target = others === undefined ? { targetCPUUtilizationPercentage: 80 } : {}
  const spec = { minReplicas: 1, maxReplicas: 0, ...target, ...(object.spec as object | undefined) }
  return {
    ...object,
    spec,
    status: { currentReplicas: 0, desiredReplicas: 0, ...(object.status as object | undefined) },
  }
}
