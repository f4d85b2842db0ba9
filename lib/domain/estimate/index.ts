/** How many replicas clusters could take. See README.md. */
export { type Estimator, generalEstimator } from './estimator'
export { type Estimate, type EstimateOptions, type EstimatePath, estimateReplicas } from './estimate-replicas'
export { estimateSets } from './estimate-sets'
