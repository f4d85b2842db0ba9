/** Propagation: from a template to its binding, from the binding to Works, and from Works to the aggregated status. */
export { aggregateWorks, assessFullyApplied } from './aggregate-works'
export { type Binding, bindingIdOf, isWorkload, ownerBindingIdOf, ownerBindingOf } from './binding-form'
export { type BindingRequest, buildBinding, controllerUidOf } from './build-binding'
export {
  buildAssignedQuotaWork,
  buildClusterWork,
  buildPlainWork,
  buildSliceWork,
  buildWork,
  type WorkRequest,
  workRefOf,
} from './build-work'
export { type Claim, claimOf, claimOn, isClaimedBy, withClaim, withoutClaim } from './claim'
export { mergeSuspension } from './merge-suspension'
export { directlyPurgedClusters, expectedClusters, targetClusters } from './clusters'
export { patchTo } from './patch-to'
export { mayPreempt, policiesToPreempt } from './preempt'
export {
  bestPolicy,
  type ImplicitPriority,
  implicitPriority,
  type Policy,
  type PolicySnapshot,
  selectPolicy,
  selects,
} from './select-policy'
export { DEFAULT_SKIPPED_NAMESPACES, isPropagatable, isPropagatableKind } from './eligible'
export { isTemplateChange, isUserChange } from './template-change'
export { divideCompletions } from './divide-completions'
export { assessManifest, isManaged, type ManifestVerdict } from './apply-manifest'
export { disown } from './disown-manifest'
export { manifestsOf, ownerWorkKeyOf } from './work-form'
export { replicasToFollow } from './sync-replicas'
