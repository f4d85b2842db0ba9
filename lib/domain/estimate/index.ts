/** Estimates how many replicas clusters could take. See README.md. */
export type { AssumedIn, AssumedWorkload } from './assumed'
export { type Demand, type Estimator, generalEstimator } from './estimator'
export { type ArrivingCopies, ChangingReport, type NodeUsage, withArrivals, withDepartures } from './reported'
export { estimateReplicas } from './estimate-replicas'
export { estimateSets } from './estimate-sets'
export { capacityWithArrivals, countsWhole } from './arrived'
export { countedAmount, remainingAmount, type SummaryCapacity, summaryCapacity } from './capacity'
export { quotaEstimator, type QuotasOf } from './quotas'
