/** What the BFF tells about itself; `server/telemetry` turns it into metrics. Each part takes the interface that it needs. */

/** A message to a browser, by what it is for. `other` is whatever is not part of a collection. */
export type SentMessage = 'snapshot' | 'delta' | 'synced' | 'freshness' | 'unread' | 'refused' | 'goodbye' | 'other'

/** Of the live stream. */
export interface LiveMetrics {
  /** Browsers connected now. */
  clients(count: number): void
  /** Subscriptions of all browsers now. */
  subscriptions(count: number): void
  /** One message was handed to a socket. `bytes` as encoded, before compression. */
  sent(message: SentMessage, bytes: number): void
  /** A connection was closed because it did not drain in time. */
  stalled(): void
  /** A slow socket was passed over: it gets one delta with the latest state once it has drained. */
  heldBack(): void
  /** A handshake or a subscription was refused; `reason` is one of a few words, never a text of the client's. */
  refused(reason: string): void
}

/** Of HTTP. */
export interface HttpMetrics {
  /** One answered request. `route` is a pattern, never a path with names in it. */
  httpRequest(method: string, route: string, code: number, seconds: number): void
  /** One action. `endpoint` is the pattern of its path; `refused` is any 4xx, `failed` any 5xx. */
  action(endpoint: string, result: 'done' | 'refused' | 'failed', seconds: number): void
  /** A request was turned away because its user sends too many. */
  limited(route: string): void
}

/** Of the audit log. */
export interface AuditMetrics {
  /** One line or Event that could not be written. */
  auditFailed(sink: 'file' | 'event'): void
}

/** Of what users may see and do. */
export interface AccessMetrics {
  /** One review was asked of the API server. */
  reviewed(review: 'access' | 'rules' | 'token', result: 'allowed' | 'denied' | 'failed', seconds: number): void
  /** Users whose rights are kept current now. */
  reviewedUsers(count: number): void
}

/** Of login. */
export interface AuthMetrics {
  /** One try to log in. `refused`: the credentials are invalid; `failed`: they could not be checked. */
  login(via: 'token' | 'oidc', result: 'done' | 'refused' | 'failed'): void
  /** A request or a socket came with a session that is not accepted; `reason` is one of a few words. */
  sessionRefused(reason: 'forged' | 'expired' | 'idle' | 'revoked' | 'unknown'): void
}

/** Of the store that several instances share. */
export interface StoreMetrics {
  /** Whether the store can be reached. */
  storeReachable(reachable: boolean): void
}

/** Of predictions of plans and of incidents. */
export interface PredictionMetrics {
  /** Workloads that ended where the preview put them, and elsewhere, over the finished plans that exist. */
  predictions(exact: number, missed: number): void
  /** Workloads that became what was foretold of them when their cluster was lost, and others, over the last incidents. */
  incidentPredictions(exact: number, missed: number): void
}

/** Everything; only the composition passes it as a whole. */
export interface BffMetrics
  extends LiveMetrics, HttpMetrics, AuditMetrics, AccessMetrics, AuthMetrics, StoreMetrics, PredictionMetrics {}

const nothing = (): undefined => undefined

/** For tests and for servers without metrics. */
export const noBffMetrics: BffMetrics = {
  clients: nothing,
  subscriptions: nothing,
  sent: nothing,
  stalled: nothing,
  heldBack: nothing,
  refused: nothing,
  httpRequest: nothing,
  action: nothing,
  limited: nothing,
  auditFailed: nothing,
  reviewed: nothing,
  reviewedUsers: nothing,
  login: nothing,
  sessionRefused: nothing,
  storeReachable: nothing,
  predictions: nothing,
  incidentPredictions: nothing,
}
