/** What the federation knows about kinds: replicas, health, status, what to keep and what to drop. */
export { aggregateStatus, hasAggregationRule } from './aggregate-status'
export { hasHealthRule, type Health, interpretHealth } from './health'
export { InterpretError } from './interpret-error'
export type { MemberStatus } from './member-status'
export { reflectStatus } from './reflect-status'
export { sameJson } from './same-json'
