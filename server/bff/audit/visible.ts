/** Who may see an act of somebody: whoever did it, and whoever may list the Events of its object. */
import type { Place, Scope } from '../access/access'
import { EVENTS } from '../access/resources'
import type { AuditRecord } from './audit'

/**
 * Where the Events of its object are: those of what has no namespace are in `default`. What has no object is for who
 * lists all.
 */
export function placeOfAct(record: Pick<AuditRecord, 'object'> | undefined): Place {
  const object = record?.object
  return object === undefined ? EVENTS : { ...EVENTS, namespace: object.namespace ?? 'default' }
}

/** `own`: the `Principal.key` of who looks. */
export const seesAct = (record: AuditRecord, own: string, scope: Scope): boolean =>
  record.key === own || scope.sees(placeOfAct(record))
