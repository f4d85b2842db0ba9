/** Requests of the pages to the server. */
import type {
  CreatePlanBody,
  CreateRebalancerBody,
  FailoverActionBody,
  FailoverOrder,
  PlanActionBody,
  PlanRebalanceBody,
  SimulationBody,
  TaintBody,
  WhatIfBody,
} from '@/lib/view/actions'
import type { ActivityQuery, ActivityView } from '@/lib/view/activity-model'
import type { JournalEntry, JournalQuery } from '@/lib/view/journal'
import {
  type LoggedOut,
  LOGIN_PATH,
  type LoginView,
  RENEW_PATH,
  SESSION_PATH,
  type SessionView,
} from '@/lib/view/login'
import type { AboutView } from '@/lib/view/model'
import type { FailoverPlanView, ClusterBlockersView } from '@/lib/view/failover-model'
import type { FailbackView, RebalancePlanView, WhatIfView } from '@/lib/view/rebalance-model'
import { createApiClient } from './api-client'

export { ActionFailure } from './api-client'

const client = createApiClient({
  fetch: (path, init) => fetch(path, init),
  wait: (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms)
    }),
  // Not randomUUID: browsers have that on secure pages only.
  newKey: () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-'),
})

/** Called when the server rejects the session, so that the login feature can show the login page. */
export const onLoginRequired = client.onLoginRequired

/** Asks a question that has a body. Throws ActionFailure. */
export function ask<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return client.ask(path, { method: 'POST', body, signal })
}

/** Reads something by its address. Throws ActionFailure. */
export function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return client.ask(path, { signal })
}

/** Reads a text piece by piece, as the server sends it. Throws ActionFailure. */
export const openText = client.open

/** Sends an order. Resolves when the server accepts it; its effect appears in the stream. Throws ActionFailure. */
export function order<T>(
  path: string,
  body: unknown,
  how: { method?: 'PUT' | 'DELETE'; ifMatch?: string } = {},
): Promise<T> {
  return client.order(path, { body, ...how })
}

/** The plan of a rebalance of these workloads, computed on the server's present state. Throws ActionFailure. */
export function planRebalance(body: PlanRebalanceBody, signal?: AbortSignal): Promise<RebalancePlanView> {
  return ask('/api/v1/rebalance-previews', body, signal)
}

/** Creates the rebalancer of a plan. Throws ActionFailure; with reason `PlanOutdated` it carries the new plan. */
export function createRebalancer(body: CreateRebalancerBody): Promise<{ name: string }> {
  return order('/api/v1/rebalancers', body)
}

/** Creates a RebalancePlan. Throws ActionFailure; with reason `PlanOutdated` it carries the new preview. */
export function createPlan(body: CreatePlanBody): Promise<{ name: string }> {
  return order('/api/v1/rebalance-plans', body)
}

/**
 * Controls a RebalancePlan. Resolves when the server accepts the action; its effect appears in the plan. Throws
 * ActionFailure.
 */
export function actOnPlan({ name, ...body }: PlanActionBody & { name: string }): Promise<{ name: string }> {
  return order(`/api/v1/rebalance-plans/${encodeURIComponent(name)}/actions`, body)
}

/** What would become of the fleet without a cluster. Changes nothing. Throws ActionFailure. */
export function askWhatIf(body: WhatIfBody, signal?: AbortSignal): Promise<WhatIfView> {
  return ask('/api/v1/what-ifs', body, signal)
}

/** What an act of failover would do. Changes nothing. Throws ActionFailure. */
export function planFailover(body: FailoverOrder, signal?: AbortSignal): Promise<FailoverPlanView> {
  return ask('/api/v1/failover-previews', body, signal)
}

/** Orders an action on a failover; its outcome shows in the failover. Throws ActionFailure; with `PlanOutdated` it carries the new plan. */
export function runFailoverAction(body: FailoverActionBody): Promise<{ asked: true }> {
  return order('/api/v1/failover-actions', body)
}

/** Takes a simulated member down, brings it back, or resizes it. Throws ActionFailure. */
export function simulateMember(cluster: string, body: SimulationBody): Promise<{ name: string }> {
  return order(`/api/v1/clusters/${encodeURIComponent(cluster)}/simulation`, body)
}

/** Adds or removes a taint of a cluster. Throws ActionFailure. */
export function taintCluster(cluster: string, body: TaintBody): Promise<{ name: string }> {
  return order(`/api/v1/clusters/${encodeURIComponent(cluster)}/taints`, body)
}

/** Why the workloads of a cluster are still there. Throws ActionFailure. */
export function readBlockers(cluster: string, signal?: AbortSignal): Promise<ClusterBlockersView> {
  return client.ask(`/api/v1/clusters/${encodeURIComponent(cluster)}/blockers`, { signal })
}

/** The address of the entries of the journal that answer a question. */
export function journalAddress({ workload, cluster, since }: JournalQuery, download = false): string {
  return withQuery('/api/v1/journal', { workload, cluster, since, download: download ? '1' : undefined })
}

/** The entries of the journal that answer a question, oldest first. Throws ActionFailure. */
export function readJournal(query: JournalQuery, signal?: AbortSignal): Promise<JournalEntry[]> {
  return client.ask(journalAddress(query), { signal })
}

/** What could return to clusters that are well again. Throws ActionFailure. */
export function readFailback(): Promise<FailbackView[]> {
  return client.ask('/api/v1/failbacks')
}

/** What control plane the server looks at. Throws ActionFailure. */
export function readAbout(): Promise<AboutView> {
  return client.ask('/api/v1/about')
}

/** One page of who did what, the latest first. Throws ActionFailure. */
export interface ActivityPage {
  items: ActivityView[]
  continue?: string
  remaining: number
}

type ActivityQuestion = ActivityQuery & { limit?: string; continue?: string | undefined }

/** The address of the acts that answer a question. */
export const activityAddress = (query: ActivityQuestion): string => withQuery('/api/v1/activity', query)

export function readActivity(query: ActivityQuestion, signal?: AbortSignal): Promise<ActivityPage> {
  return client.ask(activityAddress(query), { signal })
}

/** The user who is logged in. Throws ActionFailure; 401 without a session. */
export function readSession(signal?: AbortSignal): Promise<SessionView> {
  return client.ask(SESSION_PATH, { signal })
}

/** Reports that this session is in use. Throws ActionFailure. */
export function renewSession(): Promise<SessionView> {
  return client.ask(RENEW_PATH, { method: 'POST', body: {} })
}

/** How one logs in here. Throws ActionFailure. */
export function readLogin(signal?: AbortSignal): Promise<LoginView> {
  return client.ask(LOGIN_PATH, { signal })
}

/** Logs in. Throws ActionFailure. */
export function logIn(token: string): Promise<SessionView> {
  return client.ask(SESSION_PATH, { method: 'POST', body: { token } })
}

/** Ends this browser's session, everywhere. Throws ActionFailure. */
export function logOut(): Promise<LoggedOut> {
  return client.ask(SESSION_PATH, { method: 'DELETE' })
}

/** The document of the API (OpenAPI 3.1). Throws ActionFailure. */
export function readApiDocument(signal?: AbortSignal): Promise<unknown> {
  return client.ask('/api/v1/openapi.json', { signal })
}

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, value)
  return parameters.size === 0 ? path : `${path}?${parameters}`
}
