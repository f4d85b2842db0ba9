/** What the federation knows about kinds: replicas, health, status, what to keep and what to drop. */
export { aggregateStatus, hasAggregationRule } from './aggregate-status'
export {
  type DependencyReference, hasDependencyRule, interpretDependencies,
} from './dependencies'
export { hasHealthRule, type Health, interpretHealth } from './health'
export { InterpretError, ScriptUnavailable } from './interpret-error'
export type { MemberStatus } from './member-status'
export type { InterpreterOptions } from './options'
export { podRequirements } from './pod-requirements'
export { type Manifest, pruneManifest } from '../../kube/manifest'
export { reflectStatus } from './reflect-status'
export { hasReviseRule, interpretReplicas, type Replicas, reviseReplicas } from './replicas'
export { type ReportedReplicas, reportedReplicas } from './reported-replicas'
export { retainObserved } from './retain'
export { withDeploymentConditions } from './deployment-conditions'
