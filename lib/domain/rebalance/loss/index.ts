/** What the loss of clusters costs, for many sets of clusters of one fleet. */
export * from './loss'
export { type LossFleet, LossSimulation } from './simulation'
