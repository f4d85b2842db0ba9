/** Dividing replicas over clusters. See README.md. */
export { divideReplicas } from './divide'
export { type Division, type Share, type Strategy, strategyOf } from './division'
