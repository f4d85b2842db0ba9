/** Results of decisions about queues. */
import type { HoldState } from '@/lib/kube/kinds/queue'
import type { EpochMs } from '@/lib/std/clock'
import type { Message } from '@/lib/messages/message'
import type { Step } from '../plan'
import type { Amounts } from './amounts'
import type { QueuedBinding, QueueFacts, QueueReason } from './snapshot-model'
import type { WaitReason } from './wait-reason'

/**
 * A merge patch of a binding or of the Queue. It contains the resourceVersion that was read, so it fails if that is
 * outdated.
 */
export interface StepDetails {
  object: 'binding' | 'queue'
  queue: string
  namespace: string
  name: string
  patch: { metadata: { resourceVersion: string } & Record<string, unknown>; spec?: Record<string, unknown> }
}

/**
 * `Release`: admit the binding. `Resume`: end the suspension of a placed binding. `Suspend`: queue the binding.
 * `HandOver`: the queue is deleted, and the binding stays suspended as if by a user. `StampHold`, `EndHold`: update the
 * hold of the Queue. `Guard`, `LetGo`: add or remove the finalizer of the Queue.
 */
export type QueueAct = 'Release' | 'Resume' | 'Suspend' | 'HandOver' | 'StampHold' | 'EndHold' | 'Guard' | 'LetGo'
export type QueueStep = Step<QueueAct, StepDetails, Message>

/** An admitted binding. */
export interface Release {
  queue: string
  binding: QueuedBinding
  /** Amounts beyond the queue's own quota. */
  borrows: Amounts
  reason: QueueReason
}

/** A pending binding of a queue. */
export interface PendingEntry {
  binding: QueuedBinding
  /** From 1, in the current order of admission. */
  position: number
  /** True if this plan admits it. */
  next: boolean
  why: WaitReason
}

/** A binding that was placed although it was held. */
export interface Leak {
  binding: QueuedBinding
  at?: string
  message: Message
}

/** How another client bypasses a hold. */
export interface Undoing {
  /** The latest client, a user or a field manager; `UNKNOWN_USER` if unknown. */
  who: string
  times: number
  /** By binding. `free`: not held now, because it was placed or was suspended again too often. */
  released: readonly { binding: QueuedBinding; who: string; times: number; free: boolean }[]
}

/** The state of a queue's hold, and the steps to make it effective. */
export interface HoldAssessment {
  state: HoldState
  /** Absent with `None`. */
  message?: Message
  /** Number of bindings that it holds. */
  affected: number
  leaks: readonly Leak[]
  undone?: Undoing
  /**
   * With `Resuming`: when it began, the step size, how many are resumed, how many may be resumed now, and how many are
   * left.
   */
  resume?: { since?: string; step: number; done: number; budget: number; left: number }
  /** Bindings to suspend. */
  toSuspend: readonly { binding: QueuedBinding; reason: QueueReason }[]
  /** Why the hold ends now: its time is over, or all workloads are resumed. */
  ends?: QueueReason
  /** When the hold ends by itself, or must be assessed again. */
  lookAgainAt?: EpochMs
}

/** The plan of one queue. */
export interface QueuePlan {
  queue: QueueFacts
  hold: HoldAssessment
  /** In the order of admission. */
  pendingWorkloads: readonly PendingEntry[]
  /** Usage of admitted bindings, before the admissions of this plan. */
  used: Amounts
  /** The part of `used` beyond the queue's own quota. */
  borrowed: Amounts
  /** The dominant resource, the queue's share of it, and the fair share by the queue's weight. */
  share?: { resource: string; part: number; fair: number }
  pending: number
  inFlight: readonly QueuedBinding[]
  admitted: number
}

/** Actions for all queues. Planning again after carrying it out yields no further admissions. */
export interface ReleasePlan {
  now: EpochMs
  /** Over all queues, in the order of execution. */
  releases: readonly Release[]
  /** Admissions and all other steps, in order. */
  steps: readonly QueueStep[]
  queues: readonly QueuePlan[]
  /** Bindings suspended by queues that no longer exist; they are reported only. */
  orphans: readonly QueuedBinding[]
  /** When the plan changes by time alone. */
  lookAgainAt?: EpochMs
}
