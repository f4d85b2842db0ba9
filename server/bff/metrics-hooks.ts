/**
 * Hooks for the metrics of the BFF; `server/telemetry` implements them. Each part takes the interface that it needs.
 */

/** A message to a browser, by purpose. `other` is a message that is not part of a collection. */
export type SentMessage =
  | 'snapshot'
  | 'delta'
  | 'synced'
  | 'hello'
  | 'freshness'
  | 'unread'
  | 'refused'
  | 'goodbye'
  | 'other'

/** Metrics of the live stream. */
export interface LiveMetrics {
  /** Sets the number of connected browsers. */
  clients(count: number): void
  /** Sets the number of subscriptions of all browsers. */
  subscriptions(count: number): void
  /** One message was handed to a socket. `bytes` as encoded, before compression. */
  sent(message: SentMessage, bytes: number): void
  /** A connection was closed because it did not drain in time. */
  stalled(): void
  /** A slow socket was skipped: it gets one delta with the latest state once it has drained. */
  heldBack(): void
  /** A handshake or a subscription was refused; `reason` is one of a few words, never a client's text. */
  refused(reason: string): void
}

/** Metrics of HTTP. */
export interface HttpMetrics {
  /** One answered request. `route` is a pattern, never a path with names in it. */
  httpRequest(method: string, route: string, code: number, seconds: number): void
  /** One action. `endpoint` is the pattern of its path; `refused` is any 4xx, `failed` any 5xx. */
  action(endpoint: string, result: 'done' | 'refused' | 'failed', seconds: number): void
  /** A request was refused because its user sends too many. */
  limited(route: string): void
}

/** Metrics of the audit log. */
export interface AuditMetrics {
  /** One line or Event could not be written. */
  auditFailed(sink: 'file' | 'event'): void
}

/** Metrics of permissions. */
export interface AccessMetrics {
  /** One review was sent to the API server. */
  reviewed(review: 'access' | 'rules' | 'token', result: 'allowed' | 'denied' | 'failed', seconds: number): void
  /** Sets the number of users whose rights are kept current. */
  reviewedUsers(count: number): void
}

/** Metrics of the login. */
export interface AuthMetrics {
  /** One login attempt. `refused`: the credentials are invalid; `failed`: they could not be checked. */
  login(via: 'token' | 'oidc', result: 'done' | 'refused' | 'failed'): void
  /** A request or socket had a session that is not accepted; `reason` is one of a few words. */
  sessionRefused(reason: 'forged' | 'expired' | 'idle' | 'revoked' | 'unknown'): void
}

/** Metrics of the store that several instances share. */
export interface StoreMetrics {
  /** Sets whether the store is reachable. */
  storeReachable(reachable: boolean): void
}

/** Of predictions of plans and of incidents. */
export interface PredictionMetrics {
  /** Sets how many workloads of the existing finished plans ended where the preview predicted, and elsewhere. */
  predictions(exact: number, missed: number): void
  /** Workloads whose prediction matched, and others, over the last incidents. */
  incidentPredictions(exact: number, missed: number): void
}

/** All hooks; only the composition root passes them as a whole. */
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
