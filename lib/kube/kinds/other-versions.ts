import type { Kind } from '../kind'
import { clusterResourceBindingV1alpha1, resourceBindingV1alpha1 } from './binding-v1alpha1'
import { eventV1 } from './event-v1'
import { horizontalPodAutoscalerV1 } from './horizontal-pod-autoscaler-v1'
import { workloadSpreadV1alpha1 } from './workload-spread'

/** Kinds that show the objects of another one, in another version or group. */
export const otherVersions: readonly Kind[] = [
  resourceBindingV1alpha1,
  clusterResourceBindingV1alpha1,
  eventV1,
  horizontalPodAutoscalerV1,
  workloadSpreadV1alpha1,
]
