/** Decides who may see a record: the user of the action, and users who may list the Events of its object. */
import { apiVersionOf } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import type { ActivityView } from '@/lib/view/activity-model'
import type { Place, Scope } from '../access/access'
import { EVENTS, resourceOf, seesThen } from '../access/resources'
import type { AuditRecord } from './audit'
import { activityOf } from './audit-log'

/**
 * Returns the place of the Events of the record's object; Events of objects without a namespace are in `default`. A
 * record without an object is visible to users who may list all Events.
 */
export function placeOfRecord(record: Pick<AuditRecord, 'object'> | undefined): Place {
  const object = record?.object
  return object === undefined ? EVENTS : { ...EVENTS, namespace: object.namespace ?? 'default' }
}

/** Reports whether a user sees the record. `own`: the user's `Principal.key`; without it, only permissions count. */
export const seesRecord = (record: AuditRecord, own: string | undefined, scope: Scope): boolean =>
  record.key === own || seesThen(scope, placeOfRecord(record), record.at)

/**
 * Returns a record as the user may see it. Users who may list Events see that the action happened; the changes of the
 * object are shown only to the user of the action and to users who may list such objects there. `own`: the
 * `Principal.key` of the reader.
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
