/** The run of a RebalancePlan: preview and approval, waves, protection, undo. See ../README.md. */
export { decideNextStep } from './decide-next-step'
export { describePhase, isFinal, withWriteFault, WRITE_FAILED } from './status'
export { decideApproval, MAX_WORKLOADS, type PrepareSnapshot } from './prepare'
export { protectedClusters, isOpen, readRunRecord, type RunRecord } from './record'
export { decideOrphan } from './orphan'
export { type Backlog, backlogOf, remainingOf } from './backlog'
export { firstPace, nextPace, type Pace } from './pace'
export { isReadyUnknown, READY_UNKNOWN } from './ready'
export { withOpenedWave, withoutFailed } from './revert'
export { waveLimits } from './waves'
export {
  type BindingPatch,
  type PlanSubject,
  type PlanContext,
  type RunAction,
  type RunDecision,
  type RunSnapshot,
  type RunStep,
  sinceKey,
} from './snapshot'
