/** When scheduling of a binding may be suspended. Ours: upstream's proposal asks for it, its code does not. */
import { isConditionTrue } from '../conditions'
import type { BindingSpec, BindingStatus } from '../kinds/binding'
import { HELD_PLACED_ANNOTATION } from '../names'
import type { UnknownObject } from '../object'
import { denied } from './webhook'

/** The name under which the refusal is told, by the embedded server and by the webhook beside a real one. */
export const SUSPENSION_WEBHOOK = 'suspension.evenkeel.io'

interface Suspendable {
  metadata: { annotations?: Record<string, string> }
  spec: Pick<BindingSpec, 'suspension' | 'clusters'>
  status?: Pick<BindingStatus, 'conditions'>
}

/**
 * Why a change that suspends scheduling is refused: the binding has been scheduled, so its scaling and failover would
 * stop. The annotation of a hold says that this is known and meant. Undefined when nothing speaks against it.
 */
export function lateSuspensionRefusal(object: Suspendable, old: Suspendable): string | undefined {
  if (!isSuspended(object) || isSuspended(old) || !hasBeenScheduled(old)) return undefined
  if (object.metadata.annotations?.[HELD_PLACED_ANNOTATION] !== undefined) return undefined
  return 'spec.suspension.scheduling: this binding has been scheduled already, and suspending it now would stop its '
    + 'scaling and failover. Suspend a binding when it is created, hold its queue (spec.hold.includePlaced also holds what '
    + 'is placed), or set spec.suspension.dispatching in its policy to stop what is sent to clusters'
}

function isSuspended({ spec }: Suspendable): boolean {
  return spec?.suspension?.scheduling === true
}

/** True for what has clusters, and for what the scheduler reported as placed, be it nowhere now. */
export function hasBeenScheduled({ spec, status }: Pick<Suspendable, 'spec' | 'status'>): boolean {
  return (spec?.clusters?.length ?? 0) > 0 || isConditionTrue(status?.conditions, 'Scheduled')
}

/** Throws (403) when a binding that has been scheduled is to be suspended. */
export function refuseLateSuspension(object: UnknownObject, old: UnknownObject | undefined): void {
  const refusal = old && lateSuspensionRefusal(object as unknown as Suspendable, old as unknown as Suspendable)
  if (refusal) throw denied(SUSPENSION_WEBHOOK, refusal)
}
