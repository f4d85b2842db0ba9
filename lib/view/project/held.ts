/** What keeps one workload back: its place in a line, a paused queue, or a suspension of its own. */
import {
  waitMessage, QUEUE_ANNOTATION, SUSPENDED_BY_ANNOTATION, suspensionMessage, suspenderOf, suspendingPolicyOf,
  type PendingEntry, type WaitReason,
} from '@/lib/domain/queue'
import { namespacedOnly } from './visible-reason'
import type { HeldView } from '../held-model'
import type { AnyBinding } from './binding-facts'

/** What a plan knows of a suspended binding. */
export interface HeldFacts {
  /** `namespace/name` of the queue that the binding's namespace belongs to. */
  queue?: string
  /** Its entry in the line; absent for one that is placed, and where no plan was made yet. */
  entry?: PendingEntry
  /** Of a paused queue. */
  hold?: { reason: string; by?: string | undefined; since?: string | undefined; until?: string | undefined }
  /** The queue that suspended it does not exist any more. */
  orphan?: boolean
}

/** Undefined for a binding whose scheduling is not suspended. */
export function projectHeld(binding: AnyBinding, facts: HeldFacts = {}): HeldView | undefined {
  if (binding.spec.suspension?.scheduling !== true) return undefined
  const { annotations = {} } = binding.metadata
  const noted = annotations[QUEUE_ANNOTATION]
  if (!noted || annotations[SUSPENDED_BY_ANNOTATION] || suspendingPolicyOf(binding)) return suspendedView(binding, facts)
  if (facts.orphan) {
    const sentence = `The queue ${noted} suspended it and does not exist any more. Resume it by hand.`
    return { by: 'suspended', who: `queue ${noted}`, sentence }
  }
  const queue = facts.queue ?? noted
  const { entry, hold } = facts
  const place = { queue, ...(entry && { since: entry.binding.since, position: entry.position }) }
  if (hold && (!entry || entry.why.code === 'Held')) return heldView(binding, queue, { hold, entry })
  if (entry) return { by: 'queue', ...place, sentence: waitMessage(seenFrom(entry.why, binding)).text }
  return { by: 'queue', ...place, sentence: `It waits in the line of ${queue}.` }
}

interface Hold {
  hold: NonNullable<HeldFacts['hold']>
  entry: PendingEntry | undefined
}

function heldView(binding: AnyBinding, queue: string, { hold, entry }: Hold): HeldView {
  const { by, since, until, reason } = hold
  const placed = isPlaced(binding) ? ' It stays where it is; its scaling and failover stop meanwhile.' : ''
  const { text } = waitMessage({ code: 'Held', by, reason, until })
  return {
    by: 'hold', queue, sentence: text + placed, ...(by && { who: by }), ...(since && { since }),
    ...(until && { until }),
    ...(entry && { position: entry.position }),
  }
}

const isPlaced = ({ spec }: AnyBinding): boolean => (spec.clusters ?? []).length > 0

function suspendedView(binding: AnyBinding, { queue, entry }: HeldFacts): HeldView {
  const suspender = suspenderOf(binding)
  const { who, at, policy } = suspender
  const sentence = suspensionMessage(suspender)
  return {
    by: 'suspended', sentence: isPlaced(binding) ? `${sentence} It stays where it is.` : sentence,
    ...(queue && { queue }), ...(who && { who }), ...(at && { since: at }), ...(policy && { policy }),
    ...(entry && { position: entry.position }),
  }
}

/** Whoever sees this workload may not see those of other namespaces, though they are in the same line. */
function seenFrom(why: WaitReason, { metadata: { namespace = '' } }: AnyBinding): WaitReason {
  return namespacedOnly(why, (each) => each === namespace)
}
