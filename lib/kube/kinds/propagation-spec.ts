/** `spec` of PropagationPolicy and ClusterPropagationPolicy, which is the same for both. */
import { type Infer, array, boolean, int32, object, oneOf, string } from '../schema'
import { placement, labelSelector } from './placement'
import { failoverBehavior } from './failover'

/** Selects templates by kind, name or labels. */
export const resourceSelector = object({
  apiVersion: string(),
  kind: string(),
  labelSelector: labelSelector,
  name: string(),
  namespace: string(),
}, { required: ['apiVersion', 'kind'] })

/** `spec` of a propagation policy. */
export const propagationSpec = object({
  activationPreference: oneOf(['Lazy']),
  association: boolean(),
  conflictResolution: oneOf(['Abort', 'Overwrite'], { default: 'Abort' }),
  dependentOverrides: array(string()),
  failover: failoverBehavior,
  placement: placement,
  preemption: oneOf(['Always', 'Never'], { default: 'Never' }),
  preserveResourcesOnDeletion: boolean(),
  priority: int32({ default: 0 }),
  propagateDeps: boolean(),
  resourceSelectors: array(resourceSelector, { minItems: 1 }),
  schedulePriority: object({
    priorityClassName: string(),
    priorityClassSource: oneOf(['KubePriorityClass']),
  }, { required: ['priorityClassName', 'priorityClassSource'] }),
  schedulerName: string({ default: 'default-scheduler' }),
  suspension: object({
    dispatching: boolean(),
    dispatchingOnClusters: object({
      clusterNames: array(string()),
    }),
  }),
}, { required: ['resourceSelectors'] })

export type ResourceSelector = Infer<typeof resourceSelector>
export type PropagationSpec = Infer<typeof propagationSpec>
