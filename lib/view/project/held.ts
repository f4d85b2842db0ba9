/** Explains why a workload is not scheduled: its queue, a hold of its queue, or its own suspension. */
import {
  waitMessage,
  QUEUE_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  suspensionMessage,
  suspenderOf,
  suspendingPolicyOf,
  type PendingEntry,
  type QueuedBinding,
  type WaitReason,
} from '@/lib/domain/queue'
import { message, type Message } from '@/lib/messages/message'
import { visibleReason } from './visible-reason'
import type { HeldView } from '../model'
import type { AnyBinding } from './binding-facts'

/** State of a suspended binding in a plan. */
export interface HeldFacts {
  /** `namespace/name` of the queue of the binding's namespace. */
  queue?: string
  /** Its place among the pending workloads; absent for a placed one, and before the first plan. */
  entry?: Pick<PendingEntry, 'position' | 'why'> & Pick<QueuedBinding, 'since'>
  /** The hold of its queue. */
  hold?: { reason: string; by?: string | undefined; since?: string | undefined; until?: string | undefined }
  /** The queue that suspended it no longer exists. */
  orphan?: boolean
}

/** Returns undefined for a binding whose scheduling is not suspended. */
export function projectHeld(binding: AnyBinding, facts: HeldFacts = {}): HeldView | undefined {
  if (binding.spec.suspension?.scheduling !== true) return undefined
  const { annotations = {} } = binding.metadata
  const noted = annotations[QUEUE_ANNOTATION]
  if (!noted || annotations[SUSPENDED_BY_ANNOTATION] || suspendingPolicyOf(binding))
    return suspendedView(binding, facts)
  if (facts.orphan) {
    return { by: 'suspended', who: `queue ${noted}`, message: message('suspension.queueMissing', { queue: noted }) }
  }
  const queue = facts.queue ?? noted
  const { entry, hold } = facts
  const place = { queue, ...(entry && { since: entry.since, position: entry.position }) }
  if (hold && (!entry || entry.why.code === 'Held')) return heldView(binding, queue, { hold, entry })
  if (entry) return { by: 'queue', ...place, message: waitMessage(seenFrom(entry.why, binding)) }
  return { by: 'queue', ...place, message: message('queues.reason.pendingIn', { queue }) }
}

interface Hold {
  hold: NonNullable<HeldFacts['hold']>
  entry: HeldFacts['entry']
}

function heldView(binding: AnyBinding, queue: string, { hold, entry }: Hold): HeldView {
  const { by, since, until, reason } = hold
  return {
    by: 'hold',
    queue,
    message: withPlacement(waitMessage({ code: 'Held', by, reason, until }), binding),
    ...(by && { who: by }),
    ...(since && { since }),
    ...(until && { until }),
    ...(entry && { position: entry.position }),
  }
}

/** A placed workload keeps running without scaling and failover. */
const withPlacement = (reason: Message, { spec }: AnyBinding): Message =>
  (spec.clusters ?? []).length > 0 ? message('suspension.ofPlaced', { reason }) : reason

function suspendedView(binding: AnyBinding, { queue, entry }: HeldFacts): HeldView {
  const suspender = suspenderOf(binding)
  const { who, at, policy } = suspender
  return {
    by: 'suspended',
    message: withPlacement(suspensionMessage(suspender), binding),
    ...(queue && { queue }),
    ...(who && { who }),
    ...(at && { since: at }),
    ...(policy && { policy }),
    ...(entry && { position: entry.position }),
  }
}

/** A reader of this workload may not view those in other namespaces, even in the same queue. */
function seenFrom(why: WaitReason, { metadata: { namespace = '' } }: AnyBinding): WaitReason {
  return visibleReason(why, (each) => each === namespace)
}
