/** Who did what: the contract between the endpoints and the audit log. */
import type { Message } from '@/lib/messages/message'
import type { ActivityView } from '@/lib/view/activity-model'
import type { Outcome } from '@/lib/view/problems'
import type { Principal } from '../auth/principal'
import type { Audited, Endpoint } from '../http/endpoint'

/** One line of the audit log: what the Activity page shows, and what only administrators of the machine read. */
export interface AuditRecord extends ActivityView {
  /** `Principal.key`: whose action it is. */
  key: string
  groups: readonly string[]
  /** A digest of the session: the same for all actions of one login. */
  session?: string
  /** Where the request came from. */
  address?: string
}

/** How an action ended. */
export interface ActionEnd {
  status: number
  reason?: string
  detail?: Message | string
  /** What a failure left behind. */
  outcome?: Outcome | undefined
  /** The objects that were written, where the action did not tell itself what it is about. */
  written?: readonly Audited['object'][]
}

/** An action while it is carried out. */
export interface AuditedAction {
  concerns(about: Audited): void
  /** What it is about if it does not say so itself: it may be refused before. */
  suppose(object: Audited['object']): void
  /** Resolves when it would be on record though the process ended now. Call it before anything is written. */
  underway(): Promise<void>
  /** Writes the record. Only the first end counts. */
  end(how: ActionEnd): void
}

/** An action that has ended, recorded as a whole: login and logout. */
export interface AuditDraft extends ActionEnd {
  /** Where the request came from, seen past known proxies. */
  address: string
  requestId: string
  /** `POST /api/v1/session`. */
  endpoint: string
  summary: Message | string
  who: Pick<Principal, 'identity' | 'key' | 'via' | 'session'>
}

export interface Audit {
  begin(what: { endpoint: Endpoint; address: string; requestId: string }, who: Principal): AuditedAction
  record(draft: AuditDraft): void
}
