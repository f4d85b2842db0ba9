/** Events about claiming templates. */
import { english } from '@/lib/messages/english'
import type { Policy } from '@/lib/domain/propagation'
import type { ObjectReference } from '@/lib/kube/object'
import type { EventRecorder } from '@/server/runtime/controller'

const component = 'resource-detector'

/** Returns `policy(<namespace>/<name>)` or `cluster policy(<name>)`. */
export function policyText({ metadata: { namespace, name } }: Pick<Policy, 'metadata'>): string {
  return namespace === undefined ? `cluster policy(${name})` : `policy(${namespace}/${name})`
}

/** Returns recorders of events about one template. */
export function templateEvents(events: EventRecorder, regarding: ObjectReference) {
  return {
    applied: (policy: Policy) =>
      events.record({
        component,
        type: 'Normal',
        reason: 'ApplyPolicySucceed',
        // upstream: Karmada resource detector
        message: `Apply ${policyText(policy)} succeed`,
        regarding,
      }),
    failed: (policy: Policy, error: unknown) =>
      events.record({
        component,
        type: 'Warning',
        reason: 'ApplyPolicyFailed',
        // upstream: Karmada resource detector
        message: `Apply ${policyText(policy)} failed: ${textOf(error)}`,
        regarding,
      }),
    suspendedTooLate: (policy: Policy) =>
      events.record({
        component,
        type: 'Warning',
        reason: 'SuspensionIgnored',
        message: english('suspension.event.tooLate', { policy: sentenceStart(policy) }),
        regarding,
      }),
    read: (what: 'components' | 'replicas') =>
      events.record({
        component,
        type: 'Normal',
        reason: `Get${capitalized(what)}Succeed`,
        // upstream: Karmada resource detector
        message: `Get ${what} of resource template successfully.`,
        regarding,
      }),
    unreadable: (what: 'components' | 'replicas', error: unknown) =>
      events.record({
        component,
        type: 'Warning',
        reason: `Get${capitalized(what)}Failed`,
        message: textOf(error),
        regarding,
      }),
  }
}

/** Returns recorders of events about the preemption of one template. */
export function preemptionEvents(events: EventRecorder, regarding: ObjectReference) {
  return {
    preempted: (policy: Policy, holder: Policy) =>
      events.record({
        component,
        type: 'Normal',
        reason: 'PreemptPolicySucceed',
        message: `${sentenceStart(policy)} preempted ${sentencePart(holder)} successfully`,
        regarding,
      }),
    failed: (policy: Policy, holder: Policy, error: unknown) =>
      events.record({
        component,
        type: 'Warning',
        reason: 'PreemptPolicyFailed',
        // upstream: Karmada resource detector
        message: `${sentenceStart(policy)} failed to preempt ${sentencePart(holder)}: ${textOf(error)}`,
        regarding,
      }),
  }
}

/** Returns `propagation policy(<namespace>/<name>)` or `cluster propagation policy(<name>)`. */
function sentencePart({ metadata: { namespace, name } }: Policy): string {
  return namespace === undefined ? `cluster propagation policy(${name})` : `propagation policy(${namespace}/${name})`
}

function sentenceStart(policy: Policy): string {
  return capitalized(sentencePart(policy))
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
