/** Decisions about member clusters. */
export { apiEnablementsOf, observeEnablements } from './api-enablements'
export type { ApiEnablement, ApiResourceList } from './api-enablements'
export { dampReadiness, observeProbe } from './readiness'
export type { ProbeMemory, ReadinessSnapshot, ReadinessThresholds } from './readiness'
export { summarizeNodes, summarizeResources } from './resource-summary'
export type { NodeSummary, ResourceSnapshot, ResourceSummary } from './resource-summary'
export { describeTaints, planReadinessTaints } from './taints'
export type { ReadinessTaintSnapshot, TaintPlan } from './taints'
