/** Dividing replicas over clusters. See README.md. */
export { divideReplicas } from './divide'
export { type Share, type Strategy, strategyOf } from './division'
