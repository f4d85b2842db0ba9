/** Dividing replicas over clusters. See README.md. */
export { type Assignment, divideReplicas } from './divide'
export { type Share, type Strategy, strategyOf } from './division'
