/** Queues: which workloads are admitted next, why the others are pending, and the state of a hold. */
export * from './annotations'
export { type AdmissionEstimate, estimateAdmissions } from './estimate-admissions'
export { UNKNOWN_USER } from './hold-bypass'
export { blockedResume } from './hold'
export { divideNamespaces, namespacesAskedFor } from './namespace-owners'
export type {
  HoldAssessment,
  Leak,
  QueueAct,
  QueuePlan,
  QueueStep,
  Release,
  ReleasePlan,
  StepDetails,
  Undoing,
  PendingEntry,
} from './plan-model'
export { planReleases } from './plan-releases'
export { queueSnapshotOf, type QueueObjects } from './snapshot'
export type { BindingState, OnDelete, QueuedBinding, QueueFacts, QueueLimits, QueueSnapshot } from './snapshot-model'
export { queueStatusOf } from './status'
export { ownsSuspension, type Suspender, suspenderOf, suspendingPolicyOf } from './suspender'
export { countUnadmitted, unadmittedMessage } from './unadmitted'
export { waitMessage, suspensionMessage, type WaitCode, type WaitReason } from './wait-reason'
