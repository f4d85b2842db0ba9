/** Suite `names`: generated names, keys, and the constants by which objects refer to each other. */
import * as names from '@/lib/kube/names'
import { keyOf, type KubeObject } from '@/lib/kube/object'
import { differs } from '../compare'
import type { Case, Suite } from '../suite'

type Input = Record<string, string> & { object?: KubeObject }
interface Output {
  result: unknown
  error?: string | null
}

const functions: Readonly<Record<string, (input: Input) => unknown>> = {
  GenerateWorkName: (input) => names.workNameOf({ kind: input.kind!, namespace: input.namespace, name: input.name! }),
  GenerateBindingName: (input) => names.bindingNameOf(input.kind!, input.name!),
  GenerateBindingReferenceKey: (input) => names.bindingReferenceKey(input.namespace!, input.name!),
  GeneratePolicyName: (input) => names.policyNameOf(input.namespace!, input.name!, input.gvk!),
  GenerateExecutionSpaceName: (input) => names.executionSpaceOf(input.cluster!),
  GetClusterName: (input) => names.clusterOfExecutionSpace(input.executionSpaceName!) ?? '',
  IsReservedNamespace: (input) => names.isReservedNamespace(input.namespace!),
  GenerateServiceAccountName: (input) => names.serviceAccountNameOf(input.cluster!),
  GenerateRoleName: (input) => names.roleNameOf(input.serviceAccountName!),
  GenerateDerivedServiceName: (input) => names.derivedServiceNameOf(input.serviceName!),
  GenerateEstimatorDeploymentName: (input) => names.estimatorNameOf(input.cluster!),
  GenerateEstimatorServiceName: ({ cluster, ...rest }) =>
    names.estimatorNameOf(
      cluster!,
      Object.values(rest).find((value) => typeof value === 'string'),
    ),
  GenerateImpersonationSecretName: (input) => names.impersonationSecretNameOf(input.cluster!),
  GenerateEndpointSliceName: (input) =>
    names.endpointSliceNameOf(input.cluster!, input.endpointSliceName ?? input.name!),
  NamespacedKey: (input) => keyOf({ name: input.name!, namespace: input.namespace || undefined }),
  ClusterWideKey: (input) => describeKey(input.object!),
  constants: () => constants,
}

function describeKey(object: KubeObject): unknown {
  const [version, group = ''] = object.apiVersion.split('/').toReversed()
  const { namespace = '', name } = object.metadata
  return {
    group,
    version,
    kind: object.kind,
    namespace,
    name,
    namespaceKey: keyOf(object.metadata),
    string: names.clusterWideKey(object),
  }
}

const constants = {
  BindingControllerFinalizer: names.BINDING_FINALIZER,
  BindingManagedByLabel: names.BINDING_MANAGED_BY_LABEL,
  ClusterControllerFinalizer: names.CLUSTER_FINALIZER,
  ClusterPropagationPolicyAnnotation: names.CLUSTER_POLICY_NAME_ANNOTATION,
  ClusterPropagationPolicyControllerFinalizer: names.CLUSTER_POLICY_FINALIZER,
  ClusterPropagationPolicyPermanentIDLabel: names.CLUSTER_POLICY_ID_LABEL,
  ClusterResourceBindingAnnotationKey: names.CLUSTER_BINDING_NAME_ANNOTATION,
  ClusterResourceBindingControllerFinalizer: names.CLUSTER_BINDING_FINALIZER,
  ClusterResourceBindingPermanentIDLabel: names.CLUSTER_BINDING_ID_LABEL,
  DeletionProtectionLabelKey: names.DELETION_PROTECTED_LABEL,
  ExecutionControllerFinalizer: names.WORK_FINALIZER,
  ExecutionSpacePrefix: names.EXECUTION_SPACE_PREFIX,
  ManagedAnnotation: names.MANAGED_ANNOTATIONS_ANNOTATION,
  ManagedByKarmadaLabel: names.MANAGED_LABEL,
  ManagedByKarmadaLabelValue: names.MANAGED_LABEL_VALUE,
  ManagedLabels: names.MANAGED_LABELS_ANNOTATION,
  NamespaceSkipAutoPropagationLabel: names.SKIP_AUTO_PROPAGATION_LABEL,
  PolicyPlacementAnnotation: names.APPLIED_PLACEMENT_ANNOTATION,
  PropagationPolicyControllerFinalizer: names.POLICY_FINALIZER,
  PropagationPolicyNameAnnotation: names.POLICY_NAME_ANNOTATION,
  PropagationPolicyNamespaceAnnotation: names.POLICY_NAMESPACE_ANNOTATION,
  PropagationPolicyPermanentIDLabel: names.POLICY_ID_LABEL,
  ResourceBindingNameAnnotationKey: names.BINDING_NAME_ANNOTATION,
  ResourceBindingNamespaceAnnotationKey: names.BINDING_NAMESPACE_ANNOTATION,
  ResourceBindingPermanentIDLabel: names.BINDING_ID_LABEL,
  ResourceConflictResolutionAnnotation: names.CONFLICT_RESOLUTION_ANNOTATION,
  ResourceTemplateGenerationAnnotationKey: names.TEMPLATE_GENERATION_ANNOTATION,
  ResourceTemplateUIDAnnotation: names.TEMPLATE_UID_ANNOTATION,
  WorkNameAnnotation: names.WORK_NAME_ANNOTATION,
  WorkNamespaceAnnotation: names.WORK_NAMESPACE_ANNOTATION,
  WorkPermanentIDLabel: names.WORK_ID_LABEL,
}

export const suite: Suite = {
  name: 'names',
  judge: (testCase) => {
    const { name, input, output } = testCase as Case<Input, Output>
    const run = functions[name.split('/')[1] ?? '']
    if (!run) return `no function for ${name}`
    const result = run(input)
    if (output.error) return result === '' ? undefined : `expected the error ${output.error}`
    return differs('result', result, output.result)
  },
}
