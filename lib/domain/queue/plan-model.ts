/** What the decisions about queues answer. */
import type { HoldState } from '@/lib/kube/kinds/queue'
import type { EpochMs } from '@/lib/std/clock'
import type { Message } from '@/lib/messages/message'
import type { Step } from '../plan'
import type { Amounts } from './amounts'
import type { QueuedBinding, QueueFacts, QueueReason } from './snapshot-model'
import type { WaitReason } from './wait-reason'

/**
 * A merge patch of a binding or of the Queue itself. It carries the resourceVersion that was read: a stale one fails.
 */
export interface StepDetails {
  object: 'binding' | 'queue'
  queue: string
  namespace: string
  name: string
  patch: { metadata: { resourceVersion: string } & Record<string, unknown>; spec?: Record<string, unknown> }
}

/**
 * `Release`: it is admitted. `Resume`: it is placed already and only its suspension ends. `Suspend`: it is queued.
 * `HandOver`: its queue goes and it stays suspended, as by a user. `StampHold`, `EndHold`: the hold of the Queue. `Guard`,
 * `LetGo`: the finalizer of the Queue.
 */
export type QueueAct = 'Release' | 'Resume' | 'Suspend' | 'HandOver' | 'StampHold' | 'EndHold' | 'Guard' | 'LetGo'
export type QueueStep = Step<QueueAct, StepDetails, Message>

/** One binding that is admitted. */
export interface Release {
  queue: string
  binding: QueuedBinding
  /** What it takes beyond the queue's own quota. */
  borrows: Amounts
  reason: QueueReason
}

/** One pending binding of a queue. */
export interface PendingEntry {
  binding: QueuedBinding
  /** From 1, in the order of release as things stand. */
  position: number
  /** True when this plan releases it. */
  next: boolean
  why: WaitReason
}

/** A binding that was placed although it was held. */
export interface Leak {
  binding: QueuedBinding
  at?: string
  message: Message
}

/** How another client undoes a hold. */
export interface Undoing {
  /** Who did it last, a user or a field manager; `UNKNOWN_USER` where nothing tells. */
  who: string
  times: number
  /** By binding; `free`: not held now, because it was placed or was taken back often enough. */
  released: readonly { binding: QueuedBinding; who: string; times: number; free: boolean }[]
}

/** The state of a queue's hold, and what is to be done so that it becomes effective. */
export interface HoldAssessment {
  state: HoldState
  /** Absent with `None`. */
  message?: Message
  /** Bindings that it holds. */
  affected: number
  leaks: readonly Leak[]
  undone?: Undoing
  /** With `Resuming`: when it began, how many at a time, how many are out, and how many may go now. */
  resume?: { since?: string; step: number; done: number; budget: number; left: number }
  /** Bindings that are still to be suspended. */
  toSuspend: readonly { binding: QueuedBinding; reason: QueueReason }[]
  /** Why the hold is to be taken away now: its time is over, or everything is out. */
  ends?: QueueReason
  /** When it ends by itself, or has to be looked at again. */
  lookAgainAt?: EpochMs
}

/** One queue as planned. */
export interface QueuePlan {
  queue: QueueFacts
  hold: HoldAssessment
  /** In the order of release. */
  pendingWorkloads: readonly PendingEntry[]
  /** What admitted and released bindings take, before this plan's releases. */
  used: Amounts
  /** The part of it that is beyond the queue's own quota. */
  borrowed: Amounts
  /** The resource that it takes most of, the part it takes, and the part that its weight gives it beside the others. */
  share?: { resource: string; part: number; fair: number }
  pending: number
  inFlight: readonly QueuedBinding[]
  admitted: number
}

/** What to do now with all queues. Carrying it out and planning again gives no further releases. */
export interface ReleasePlan {
  now: EpochMs
  /** Over all queues, in the order in which they are to be carried out. */
  releases: readonly Release[]
  /** Releases and everything else, in order. */
  steps: readonly QueueStep[]
  queues: readonly QueuePlan[]
  /** Suspended by queues that do not exist any more; nothing is done with them but to say so. */
  orphans: readonly QueuedBinding[]
  /** When time alone changes something. */
  lookAgainAt?: EpochMs
}
