/** Reasons and words of the events that tell how templates were claimed. */
import type { Policy } from '@/lib/domain/propagation'
import type { ObjectReference } from '@/lib/kube/object'
import type { EventRecorder } from '@/server/runtime/controller'

const component = 'resource-detector'

/** `policy(<namespace>/<name>)` or `cluster policy(<name>)`. */
export function policyText({ metadata: { namespace, name } }: Pick<Policy, 'metadata'>): string {
  return namespace === undefined ? `cluster policy(${name})` : `policy(${namespace}/${name})`
}

/** Events about one template. */
export function templateEvents(events: EventRecorder, regarding: ObjectReference) {
  return {
    applied: (policy: Policy) => events.record({
      component, type: 'Normal', reason: 'ApplyPolicySucceed', message: `Apply ${policyText(policy)} succeed`, regarding,
    }),
    failed: (policy: Policy, error: unknown) => events.record({
      component, type: 'Warning', reason: 'ApplyPolicyFailed',
      message: `Apply ${policyText(policy)} failed: ${textOf(error)}`, regarding,
    }),
    replicasRead: () => events.record({
      component, type: 'Normal', reason: 'GetReplicasSucceed', message: 'Get replicas of resource template successfully.',
      regarding,
    }),
    replicasUnreadable: (error: unknown) => events.record({
      component, type: 'Warning', reason: 'GetReplicasFailed', message: textOf(error), regarding,
    }),
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
