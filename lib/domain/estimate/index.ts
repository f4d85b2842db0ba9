/** How many replicas clusters could take. See README.md. */
export { type Estimator, generalEstimator } from './estimator'
export { type ArrivingCopies, withArrivals } from './foreseen'
export { estimateReplicas } from './estimate-replicas'
export { estimateSets } from './estimate-sets'
export { countedAmount, summaryCapacity } from './capacity'
