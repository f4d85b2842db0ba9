/** Simulates the loss of clusters, for many sets of clusters of one fleet. */
export type { FixQuestion } from './fix-candidates'
export { findFixes, type Fix, gainOf } from './fixes'
export { type LossPrediction, predictionOf, type PredictionCheck, checkPrediction } from './prediction'
export * from './loss'
export { type Fleet, keyOfSet, keyOfWorkload, type Outcome } from './outcomes'
export { type PredictionResult, isJudged } from './results'
export { type Forecast, type LossFleet, LossSimulation } from './simulation'
