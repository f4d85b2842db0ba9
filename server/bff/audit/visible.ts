/** Who may see a record: the user of the action, and users who may list the Events of its object. */
import { apiVersionOf } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import type { ActivityView } from '@/lib/view/activity-model'
import type { Place, Scope } from '../access/access'
import { EVENTS, resourceOf, seesThen } from '../access/resources'
import type { AuditRecord } from './audit'
import { activityOf } from './audit-log'

/**
 * Where the Events of its object are: those of what has no namespace are in `default`. What has no object is for who
 * lists all.
 */
export function placeOfRecord(record: Pick<AuditRecord, 'object'> | undefined): Place {
  const object = record?.object
  return object === undefined ? EVENTS : { ...EVENTS, namespace: object.namespace ?? 'default' }
}

/** `own`: the `Principal.key` of who looks; without it, what others see. */
export const seesRecord = (record: AuditRecord, own: string | undefined, scope: Scope): boolean =>
  record.key === own || seesThen(scope, placeOfRecord(record), record.at)

/**
 * A record as a user sees it who may see it. An Event says that something was done; the changes of the object are shown only
 * to the user of the action and to users who may list such objects there. `own`: the `Principal.key` of the reader.
 */
export function activityFor(record: AuditRecord, scope: Scope, own?: string): ActivityView {
  const view = activityOf(record)
  if (view.changes.length === 0 || record.key === own || seesObject(record, scope)) return view
  return { ...view, changes: [WITHHELD] }
}

const WITHHELD = { path: '', withheld: true } as const

function seesObject({ object }: AuditRecord, scope: Scope): boolean {
  const kind = allKinds.find((each) => each.kind === object?.kind && apiVersionOf(each) === object.apiVersion)
  const place = kind && { ...resourceOf(kind), ...(object?.namespace !== undefined && { namespace: object.namespace }) }
  return place !== undefined && scope.sees(place)
}
