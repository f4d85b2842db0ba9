import type {
  ActionError, CreatePlanBody, CreateRebalancerBody, FailoverActBody, FailoverOrder, PlanActBody, PlanRebalanceBody, WhatIfBody,
} from '@/lib/view/actions'
import type { JournalEntry, JournalQuery } from '@/lib/view/journal'
import type { AboutView } from '@/lib/view/model'
import type { FailoverPlanView, InactionsView } from '@/lib/view/failover-model'
import type { FailbackView, RebalancePlanView, WhatIfView } from '@/lib/view/rebalance-model'

/** A refusal of the server, worded for the reader, or the lack of an answer (`code` 0). */
export class ActionFailure extends Error {
  readonly code: number
  readonly reason: string
  readonly field: string | undefined
  /** With reason `PlanOutdated`: the plan as it would be now, of the kind that was sent. */
  readonly plan: unknown

  constructor({ error, plan }: ActionError) {
    super(error.message)
    this.name = 'ActionFailure'
    this.code = error.code
    this.reason = error.reason
    this.field = error.field
    this.plan = plan
  }
}

/** The plan of a rebalance of these workloads, computed on the server's present state. Throws ActionFailure. */
export function planRebalance(body: PlanRebalanceBody, signal?: AbortSignal): Promise<RebalancePlanView> {
  return request('/api/plans/rebalance', { method: 'POST', body: JSON.stringify(body), signal: signal ?? null })
}

/** Creates the rebalancer of a plan. Throws ActionFailure; with reason `PlanOutdated` it carries the new plan. */
export function createRebalancer(body: CreateRebalancerBody): Promise<{ name: string }> {
  return order('/api/rebalancers', body)
}

/** Creates a RebalancePlan. Throws ActionFailure; with reason `PlanOutdated` it carries the new preview. */
export function createPlan(body: CreatePlanBody): Promise<{ name: string }> {
  return order('/api/rebalance-plans', body)
}

/** Steers a RebalancePlan. Resolves once it is asked for; what comes of it is seen in the plan. Throws ActionFailure. */
export function actOnPlan(body: PlanActBody): Promise<{ name: string }> {
  return order('/api/rebalance-plans/act', body)
}

/** Sends an order. Resolves once it is accepted; what comes of it is seen in the stream. Throws ActionFailure. */
export function order<T>(path: string, body: unknown, method: 'POST' | 'PUT' | 'DELETE' = 'POST'): Promise<T> {
  const text = body === undefined ? '' : JSON.stringify(body)
  // Leaving the page right after the click must not call the order back; browsers do that for small bodies only.
  return request(path, { method, body: text === '' ? null : text, keepalive: text.length < KEEPALIVE_LIMIT })
}

/** Browsers refuse larger bodies (64 KiB) on requests that outlive their page; multi-byte characters are allowed for. */
const KEEPALIVE_LIMIT = 16_384

/** What would become of the fleet without a cluster. Changes nothing. Throws ActionFailure. */
export function askWhatIf(body: WhatIfBody, signal?: AbortSignal): Promise<WhatIfView> {
  return request('/api/what-if', { method: 'POST', body: JSON.stringify(body), signal: signal ?? null })
}

/** What an act of failover would do. Changes nothing. Throws ActionFailure. */
export function planFailover(order: FailoverOrder, signal?: AbortSignal): Promise<FailoverPlanView> {
  return request('/api/failover/plan', { method: 'POST', body: JSON.stringify(order), signal: signal ?? null })
}

/** Asks for an act of failover. What comes of it is seen in its story. Throws ActionFailure; with `PlanOutdated` it carries the new plan. */
export function actOnFailover(body: FailoverActBody): Promise<{ asked: true }> {
  return order('/api/failover/act', body)
}

/** Why the workloads of a cluster are still there. Throws ActionFailure. */
export function readInactions(cluster: string, signal?: AbortSignal): Promise<InactionsView> {
  return request(`/api/failover/why?${new URLSearchParams({ cluster })}`, { signal: signal ?? null })
}

/** The address of the entries of the journal that answer a question. */
export function journalAddress({ workload, cluster, since }: JournalQuery, download = false): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ workload, cluster, since, download: download ? '1' : undefined })) {
    if (value !== undefined) parameters.set(name, value)
  }
  return `/api/journal?${parameters}`
}

/** The entries of the journal that answer a question, oldest first. Throws ActionFailure. */
export function readJournal(query: JournalQuery, signal?: AbortSignal): Promise<JournalEntry[]> {
  return request(journalAddress(query), { signal: signal ?? null })
}

/** What could return to clusters that are well again. Throws ActionFailure. */
export function readFailback(): Promise<FailbackView[]> {
  return request('/api/failback')
}

/** What control plane the server looks at. Throws ActionFailure. */
export function readAbout(): Promise<AboutView> {
  return request('/api/about')
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await reach(path, init)
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body as T
  throw new ActionFailure(isActionError(body) ? body : unexplained(response))
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, headers: { 'content-type': 'application/json' } })
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    const message = 'The console’s server does not answer. Nothing was changed; try again when it is back.'
    throw new ActionFailure({ error: { code: 0, reason: 'Unreachable', message } })
  }
}

function isActionError(body: unknown): body is ActionError {
  return typeof body === 'object' && body !== null && 'error' in body
}

function unexplained(response: Response): ActionError {
  const message = `The server answered ${response.status} ${response.statusText} without a reason.`
  return { error: { code: response.status, reason: 'Unexplained', message } }
}
