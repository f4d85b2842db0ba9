/** The rules of every kind that is compiled into a real API server. */
import { ownField } from '@/lib/std/fields'
import {
  admitPod,
  completePodStatus,
  defaultEvent,
  defaultNamespace,
  defaultNode,
  defaultPod,
  defaultSecret,
  defaultService,
  placeService,
  startNamespace,
  startPod,
} from './defaults/core'
import {
  countTemplates,
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultStatefulSet,
  keepTemplateGeneration,
  startDaemonSet,
} from './defaults/workloads'
import { defaultMutatingWebhooks, defaultValidatingWebhooks } from './defaults/admission-registration'
import { defaultBinding, defaultRole } from './defaults/rbac'
import { defaultServiceUpdate } from './defaults/service-update'
import { definitionRules } from './custom-resource/definition-rules'
import { type FieldError, invalidField } from './field-error'
import { apiVersionOf, isStoredForm, type Kind } from './kind'
import type { DaemonSet, Service } from './kinds'
import type { UnknownObject } from './object'
import { otherFormRules, resourceRules } from './resource-rules'
import { type KindRules, typed } from './rules'
import { validateWebhooks } from './validation/admission-registration'
import { validateEvent, validatePod, validatePodUpdate } from './validation/core'
import { validatePodStatus } from './validation/pod-status'
import { validateConfigMap, validateDataUpdate, validateSecret, validateSecretUpdate } from './validation/data'
import {
  validateClusterRole,
  validateClusterRoleBinding,
  validateRole,
  validateRoleBinding,
  validateRoleRefUnchanged,
} from './validation/rbac'
import { checkDnsLabel, checkPathSegment } from './validation/formats'
import {
  validateDaemonSet,
  validateDeployment,
  validateSelectorUnchanged,
  validateStatefulSet,
  validateStatefulSetUpdate,
  validateWorkload,
} from './validation/workloads'
import { validateOwnFinalizers } from './validation/object-meta'
import { validateNode, validateNodeUpdate, withoutNewConfig } from './validation/node'
import { validateReplicaStatus } from './validation/replica-status'
import { allocateService, validateService, validateServiceStatus, validateServiceUpdate } from './validation/service'

/** The rules of a built-in kind, in the version in which it is kept or in another one. */
export function builtinRulesOf(kind: Kind): KindRules | undefined {
  return isStoredForm(kind) ? ownField(builtinRules, kind.kind) : ownField(otherFormRules, apiVersionOf(kind))
}

/** By `kind` in the built-in groups. Kinds that are not named have no rules of their own. */
const builtinRules: Readonly<Record<string, KindRules>> = {
  CustomResourceDefinition: definitionRules,
  ...resourceRules,
  Deployment: {
    generation: 'spec-and-annotations',
    applyDefaults: typed(defaultDeployment),
    validate: validateDeployment,
    validateUpdate: validateSelectorUnchanged,
    validateStatus: validateReplicaStatus('Deployment'),
  },
  ReplicaSet: {
    generation: 'spec',
    applyDefaults: typed(defaultReplicaSet),
    validate: validateWorkload,
    validateUpdate: validateSelectorUnchanged,
    validateStatus: validateReplicaStatus('ReplicaSet'),
  },
  StatefulSet: {
    checkName: checkDnsLabel,
    generation: 'spec',
    applyDefaults: typed(defaultStatefulSet),
    validate: validateStatefulSet,
    validateUpdate: validateStatefulSetUpdate,
    validateStatus: validateReplicaStatus('StatefulSet'),
  },
  DaemonSet: {
    generation: 'spec',
    applyDefaults: typed(defaultDaemonSet),
    prepareForCreate: typed(startDaemonSet),
    prepareForStatus: keepTemplateGeneration,
    prepareForUpdate: (next, old) =>
      countTemplates(next as unknown as DaemonSet, old as unknown as DaemonSet) as unknown as UnknownObject,
    validate: validateDaemonSet,
    validateUpdate: validateSelectorUnchanged,
    validateStatus: validateReplicaStatus('DaemonSet'),
  },
  Pod: {
    generation: 'spec',
    applyDefaults: typed(defaultPod),
    complete: admitPod,
    keepsStatusOnCreate: true,
    prepareForCreate: startPod,
    prepareForStatus: completePodStatus,
    validate: validatePod,
    validateUpdate: validatePodUpdate,
    validateStatus: validatePodStatus,
  },
  Node: {
    keepsStatusOnCreate: true,
    applyDefaults: typed(defaultNode),
    prepareForCreate: (object) => withoutNewConfig(object),
    prepareForUpdate: withoutNewConfig,
    prepareForStatus: withoutNewConfig,
    validate: validateNode,
    validateUpdate: validateNodeUpdate,
    validateStatus: validateNodeUpdate,
  },
  Namespace: {
    checkName: checkDnsLabel,
    applyDefaults: typed(defaultNamespace),
    prepareForCreate: startNamespace,
    prepareForUpdate: (next, old) => ({ ...next, spec: old.spec }),
    validate: validateNamespace,
    validateStatus: validateNamespaceStatus,
  },
  ConfigMap: { judgesChangeFirst: true, validate: validateConfigMap, validateUpdate: validateDataUpdate },
  Secret: {
    judgesChangeFirst: true,
    applyDefaults: typed(defaultSecret),
    validate: validateSecret,
    validateUpdate: validateSecretUpdate,
  },
  Service: {
    checkName: checkDnsLabel,
    judgesChangeFirst: true,
    applyDefaults: typed(defaultService),
    complete: placeService,
    prepareForUpdate: (next, old) =>
      defaultServiceUpdate(next as unknown as Service, old as unknown as Service) as unknown as UnknownObject,
    validateFirst: allocateService,
    validate: validateService,
    validateUpdate: validateServiceUpdate,
    validateStatus: validateServiceStatus,
  },
  Event: { checkName: checkPathSegment, applyDefaults: typed(defaultEvent), validate: validateEvent },
  Role: { checkName: checkPathSegment, applyDefaults: defaultRole, validate: validateRole },
  ClusterRole: { checkName: checkPathSegment, applyDefaults: defaultRole, validate: validateClusterRole },
  RoleBinding: {
    checkName: checkPathSegment,
    applyDefaults: typed(defaultBinding),
    validate: validateRoleBinding,
    validateUpdate: validateRoleRefUnchanged,
  },
  ClusterRoleBinding: {
    checkName: checkPathSegment,
    applyDefaults: typed(defaultBinding),
    validate: validateClusterRoleBinding,
    validateUpdate: validateRoleRefUnchanged,
  },
  MutatingWebhookConfiguration: {
    generation: 'content',
    countsEmpty: ({ webhooks }) => ({ webhooks }),
    applyDefaults: defaultMutatingWebhooks,
    validate: validateWebhooks,
  },
  ValidatingWebhookConfiguration: {
    generation: 'content',
    countsEmpty: ({ webhooks }) => ({ webhooks }),
    applyDefaults: defaultValidatingWebhooks,
    validate: validateWebhooks,
  },
}

function validateNamespace({ spec }: UnknownObject, old?: UnknownObject): FieldError[] {
  const { finalizers = [] } = (spec ?? {}) as { finalizers?: string[] }
  return old ? [] : validateOwnFinalizers(finalizers, () => 'spec.finalizers')
}

/** The phase follows the deletion, never the other way round. */
function validateNamespaceStatus(next: UnknownObject, old: UnknownObject): FieldError[] {
  const phase = (next.status as { phase?: string } | undefined)?.phase
  const expected = old.metadata.deletionTimestamp ? 'Terminating' : 'Active'
  if (phase === expected) return []
  const when = old.metadata.deletionTimestamp ? 'not empty' : 'empty'
  return [invalidField('status.Phase', phase ?? '', `may only be '${expected}' if \`deletionTimestamp\` is ${when}`)]
}
