/** The contract between the endpoints and the audit log. */
import type { Message } from '@/lib/messages/message'
import type { ActivityView } from '@/lib/view/activity-model'
import type { Outcome } from '@/lib/view/problems'
import type { Principal } from '../auth/principal'
import type { Audited, Endpoint } from '../http/endpoint'

/** One line of the audit log: the content of the Activity page, and fields for administrators of the machine. */
export interface AuditRecord extends ActivityView {
  /** `Principal.key` of the user. */
  key: string
  groups: readonly string[]
  /** A digest of the session: the same for all actions after one login. */
  session?: string
  /** The address of the client. */
  address?: string
}

/** The result of an action. */
export interface ActionEnd {
  status: number
  reason?: string
  detail?: Message | string
  /** What a failed action left behind. */
  outcome?: Outcome | undefined
  /** The written objects, for an action that did not state its subject. */
  written?: readonly Audited['object'][]
}

/** An action in progress. */
export interface AuditedAction {
  concerns(about: Audited): void
  /** Sets the default subject, for an action that is refused before it states its own. */
  suppose(object: Audited['object']): void
  /** Resolves once the action is on record even if the process ends now. Call it before anything is written. */
  underway(): Promise<void>
  /** Writes the record. Only the first call counts. */
  end(how: ActionEnd): void
}

/** A completed action that is recorded as a whole: login and logout. */
export interface AuditDraft extends ActionEnd {
  /** The address of the client, resolved past trusted proxies. */
  address: string
  requestId: string
  /** For example `POST /api/v1/session`. */
  endpoint: string
  summary: Message | string
  who: Pick<Principal, 'identity' | 'key' | 'via' | 'session'>
}

export interface Audit {
  begin(what: { endpoint: Endpoint; address: string; requestId: string }, who: Principal): AuditedAction
  record(draft: AuditDraft): void
}
