/** Events about collecting the status of member objects. */
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { objectKey, type UnknownObject } from '@/lib/kube/object'
import type { EventRecorder } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'

const component = 'work-status-controller'

/** Returns recorders of events on a Work about its member object. */
export function statusEvents(events: EventRecorder, work: Work, object: UnknownObject) {
  const regarding = referenceTo(workKind, work)
  const what = `object(${object.kind}/${objectKey(object)})`
  const record = (type: 'Normal' | 'Warning', reason: string, message: string): void =>
    events.record({ component, type, reason, message, regarding })
  return {
    // upstream: Karmada work-status-controller
    reflected: () => record('Normal', 'ReflectStatusSucceed', `Reflect status for ${what} succeed.`),
    notReflected: (error: unknown) =>
      // upstream: Karmada work-status-controller
      record('Warning', 'ReflectStatusFailed', `Reflect status for ${what} failed, err: ${textOf(error)}.`),
    interpreted: (healthy: boolean) =>
      record(
        'Normal',
        'InterpretHealthSucceed',
        // upstream: Karmada work-status-controller
        `Interpret health of ${what} as ${healthy ? 'healthy' : 'unhealthy'}.`,
      ),
    notInterpreted: (error: unknown) =>
      // upstream: Karmada work-status-controller
      record('Warning', 'InterpretHealthFailed', `Interpret health of ${what} failed, err: ${textOf(error)}.`),
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
