/** `spec` of PropagationPolicy and ClusterPropagationPolicy, which is the same for both. */
import { type Infer, array, boolean, int32, object, oneOf, string } from '../schema'
import { failoverBehavior } from './failover'
import { labelSelector, placement } from './placement'

/** Selects templates by kind, name or labels. */
export const resourceSelector = object(
  { apiVersion: string(), kind: string(), labelSelector: labelSelector, name: string(), namespace: string() },
  { required: ['apiVersion', 'kind'] },
)

/**
 * What is suspended: dispatching to all clusters or to some, or scheduling. `scheduling` is from the proposal of
 * scheduling suspension; Karmada has it on bindings only.
 */
export const policySuspension = object({
  dispatching: boolean(),
  dispatchingOnClusters: object({ clusterNames: array(string()) }),
  scheduling: boolean(),
})

/** Source of the binding's priority in the scheduling queue. */
export const schedulePriority = object(
  { priorityClassName: string(), priorityClassSource: oneOf(['KubePriorityClass']) },
  { required: ['priorityClassName', 'priorityClassSource'] },
)

/** `spec` of a propagation policy. */
export const propagationSpec = object(
  {
    activationPreference: oneOf(['Lazy']),
    association: boolean(),
    conflictResolution: oneOf(['Abort', 'Overwrite'], { default: 'Abort' }),
    dependentOverrides: array(string()),
    failover: failoverBehavior,
    placement,
    preemption: oneOf(['Always', 'Never'], { default: 'Never' }),
    preserveResourcesOnDeletion: boolean(),
    priority: int32({ default: 0 }),
    propagateDeps: boolean(),
    resourceSelectors: array(resourceSelector, { minItems: 1 }),
    schedulePriority,
    schedulerName: string({ default: 'default-scheduler' }),
    suspension: policySuspension,
  },
  { required: ['resourceSelectors'] },
)

export type ResourceSelector = Infer<typeof resourceSelector>
export type PropagationSpec = Infer<typeof propagationSpec>
