/** The exact patches of queue actions, also as commands, shown before they are written. */
import {
  formatSignature,
  HOLD_ENDED_ANNOTATION,
  PRIORITY_CLASS_ANNOTATION,
  QUEUE_ANNOTATION,
  RELEASE_REQUESTED_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
} from '@/lib/domain/queue/annotations'

/** A merge patch of one object. */
export interface ExactPatch {
  kind: 'Queue' | 'ResourceBinding'
  namespace: string
  name: string
  patch: Record<string, unknown>
}

interface ObjectName {
  namespace: string
  name: string
}

export interface HoldOrder {
  reason: string
  /** RFC 3339. */
  until?: string
  includePlaced?: boolean
}

/** User and time of a request, which are written with it. */
export interface Requester {
  who: string
  /** RFC 3339. */
  at: string
}

/** Sets the hold, and removes fields of a previous one. Admission adds user and start. */
export function holdPatch(queue: ObjectName, { reason, until, includePlaced = false }: HoldOrder): ExactPatch {
  return queuePatch(queue, { hold: { reason, until: until ?? null, includePlaced, resume: null } })
}

/** Ends the hold: at once, or `step` workloads at a time. `requester` is recorded with the last hold. */
export function resumePatch(queue: ObjectName, step: number | undefined, requester?: Requester): ExactPatch {
  const { patch, ...about } = queuePatch(queue, { hold: step === undefined ? null : { resume: { step } } })
  return {
    ...about,
    patch: {
      ...(requester && { metadata: { annotations: { [HOLD_ENDED_ANNOTATION]: formatSignature(requester) } } }),
      ...patch,
    },
  }
}

function queuePatch({ namespace, name }: ObjectName, spec: Record<string, unknown>): ExactPatch {
  return { kind: 'Queue', namespace, name, patch: { spec } }
}

/** Requests that the queue admits this binding next. */
export function releasePatch(binding: ObjectName, requester: Requester): ExactPatch {
  return annotationsPatch(binding, { [RELEASE_REQUESTED_ANNOTATION]: formatSignature(requester) })
}

/** Sets the priority class of a pending binding. */
export function priorityPatch(binding: ObjectName, priorityClass: string): ExactPatch {
  return annotationsPatch(binding, { [PRIORITY_CLASS_ANNOTATION]: priorityClass })
}

function annotationsPatch({ namespace, name }: ObjectName, annotations: Record<string, string>): ExactPatch {
  return { kind: 'ResourceBinding', namespace, name, patch: { metadata: { annotations } } }
}

/** Suspends the scheduling of one binding, with user and reason. */
export function suspendPatch({ namespace, name }: ObjectName, requester: Requester & { reason: string }): ExactPatch {
  const annotations = {
    [SUSPENDED_BY_ANNOTATION]: formatSignature(requester),
    [SUSPENDED_REASON_ANNOTATION]: requester.reason,
  }
  return {
    kind: 'ResourceBinding',
    namespace,
    name,
    patch: { metadata: { annotations }, spec: { suspension: { scheduling: true } } },
  }
}

/** Resumes the scheduling of one binding; with `queue` (a key), queues it there instead, so it stays suspended. */
export function unsuspendPatch({ namespace, name }: ObjectName, queue?: string): ExactPatch {
  const annotations = { [SUSPENDED_BY_ANNOTATION]: null, [SUSPENDED_REASON_ANNOTATION]: null }
  if (queue !== undefined) {
    return {
      kind: 'ResourceBinding',
      namespace,
      name,
      patch: { metadata: { annotations: { [QUEUE_ANNOTATION]: queue, ...annotations } } },
    }
  }
  return {
    kind: 'ResourceBinding',
    namespace,
    name,
    patch: { metadata: { annotations }, spec: { suspension: { scheduling: false } } },
  }
}

const RESOURCES: Record<ExactPatch['kind'], string> = {
  Queue: 'queues.evenkeel.io',
  ResourceBinding: 'resourcebindings.work.karmada.io',
}

/** Returns the equivalent kubectl command for a POSIX shell. */
export function kubectlPatch({ kind, namespace, name, patch }: ExactPatch): string {
  return `kubectl patch ${RESOURCES[kind]} ${name} -n ${namespace} --type=merge -p ${shellQuote(JSON.stringify(patch))}`
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
