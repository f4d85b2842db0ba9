/** Defines every topic of the stream: its view, the place of its entities, and the permissions that it requires. */
import type { Clock } from '@/lib/std/clock'
import type { Logger } from '@/server/runtime/controller'
import {
  BINDINGS,
  CLUSTER_BINDINGS,
  CLUSTER_POLICIES,
  CLUSTERS,
  EVENTS,
  PLANS,
  placeOfPolicy,
  placeOfQueue,
  placeOfWorkload,
  PROPAGATION_POLICIES,
  QUEUES,
  REBALANCERS,
  SPREADS,
} from '../access/resources'
import type { AuditLog } from '../audit/audit-log'
import { activityFor, placeOfRecord, seesRecord } from '../audit/visible'
import type { Views } from '../views/all'
import { parseWorkloadId } from '@/lib/view/workload-id'
import { Hub, type HubOptions, type PageSource, type Source } from './hub'

/** Users who watch a failover expect to see it happen. */
const FAILOVER_INTERVAL_MS = 50
/** Counts over all workloads, beside what they count. */
const COUNTS_INTERVAL_MS = 250
/** A hidden page needs no updates. */
const SUMMARY_INTERVAL_MS = 2_000
/** A row summarises all workloads of a policy, any of which may change at any time. */
const POLICIES_INTERVAL_MS = 1_000

const WORKLOADS = [BINDINGS, CLUSTER_BINDINGS]
const CLUSTER_PREFIX = 'cluster '

export interface TopicsOptions {
  views: Views
  audit: AuditLog
  clock: Clock
  newEpoch: () => string
  log: Logger
  /** Kinds of which the console reads nothing. */
  unread: NonNullable<HubOptions['unread']>
  /** Returns the minimum time between two messages to one reader, from that of the topic if it has one. */
  flushIntervalMs?: (ownMs?: number) => number
}

/** Creates the hub with all topics. */
export function createHub({ views, audit, clock, newEpoch, log, unread, flushIntervalMs }: TopicsOptions): Hub {
  return new Hub({
    clock,
    newEpoch,
    unread,
    collections: { ...collectionsOf(views), activity: activity(audit) },
    pages: pagesOf(views),
    ...(flushIntervalMs && { flushIntervalMs }),
    onError: (error, topic, id) => log.error({ err: error, topic, id }, 'failed to project an object'),
  })
}

function collectionsOf({
  clusters,
  workloads,
  rebalancers,
  plans,
  policies,
  spreads,
  queues,
  summary,
  failovers,
}: Views): Record<string, Source> {
  return {
    clusters: {
      touched: clusters.touched,
      ids: () => clusters.ids(),
      project: (name, scope) => clusters.row(name, scope),
      placeOf: () => CLUSTERS,
      resources: [CLUSTERS],
    },
    workloads: {
      touched: workloads.touched,
      ids: () => workloads.ids(),
      project: (id, scope) => workloads.row(id, scope),
      placeOf: placeOfWorkload,
      resources: WORKLOADS,
    },
    rebalancers: {
      touched: rebalancers.touched,
      ids: () => rebalancers.ids(),
      project: (name, scope) => rebalancers.row(name, scope),
      prepare: (scope, isLong) => rebalancers.prepare(scope, isLong),
      placeOf: () => REBALANCERS,
      flushIntervalMs: () => rebalancers.rowsIntervalMs(),
      resources: [REBALANCERS],
    },
    plans: {
      touched: plans.touched,
      ids: () => plans.ids(),
      project: (name, scope) => plans.row(name, scope),
      placeOf: () => PLANS,
      resources: [PLANS],
    },
    policies: {
      touched: policies.touched,
      ids: () => policies.ids(),
      project: (id, scope) => policies.row(id, scope),
      placeOf: placeOfPolicy,
      resources: [PROPAGATION_POLICIES, CLUSTER_POLICIES],
      flushIntervalMs: POLICIES_INTERVAL_MS,
    },
    spreads: {
      touched: spreads.touched,
      ids: () => spreads.ids(),
      project: (id, scope) => spreads.row(id, scope),
      placeOf: (id) => ({ ...SPREADS, namespace: id.slice(0, id.indexOf('/')) }),
      resources: [SPREADS],
    },
    queues: {
      touched: queues.touched,
      ids: () => queues.ids(),
      project: (id, scope) => queues.row(id, scope),
      placeOf: placeOfQueue,
      resources: [QUEUES],
    },
    summary: {
      touched: summary.touched,
      ids: () => ['now'],
      project: (_, scope) => summary.row(scope),
      prepare: (scope, isLong) => summary.prepare(scope, isLong),
      placeOf: () => undefined,
      resources: [...WORKLOADS, CLUSTERS],
      flushIntervalMs: SUMMARY_INTERVAL_MS,
    },
    ...failoversOf(failovers),
  }
}

/** The latest actions on objects whose Events the reader may list. */
function activity(audit: AuditLog): Source {
  return {
    touched: audit.touched,
    ids: () => audit.liveIds(),
    placeOf: (id) => placeOfRecord(audit.get(id)),
    resources: [EVENTS],
    hasOwnRecords: true,
    project: (id, scope) => {
      const record = audit.live(id)
      return record && seesRecord(record, undefined, scope) ? activityFor(record, scope) : undefined
    },
  }
}

function failoversOf(failovers: Views['failovers']): Record<string, Source> {
  const resources = [...WORKLOADS, CLUSTERS]
  return {
    failover: {
      touched: failovers.touched,
      ids: () => failovers.ids(),
      project: (id, scope) => failovers.entry(id, scope),
      prepare: (_, isLong) => failovers.prepare(isLong),
      placeOf: (id) => (id.startsWith(CLUSTER_PREFIX) ? CLUSTERS : placeOfWorkload(id)),
      resources,
      flushIntervalMs: FAILOVER_INTERVAL_MS,
    },
    'failover-now': {
      touched: failovers.summaryTouched,
      ids: () => ['now'],
      project: (_, scope) => failovers.summary(scope),
      prepare: (_, isLong) => failovers.prepare(isLong),
      placeOf: () => undefined,
      resources,
      flushIntervalMs: COUNTS_INTERVAL_MS,
    },
    'failover-history': {
      touched: failovers.historyTouched,
      ids: () => failovers.pastIds(),
      project: (id, scope) => failovers.past(id, scope),
      placeOf: () => undefined,
      resources,
    },
  }
}

function pagesOf({ details, queues, rebalancers, plans }: Views): Record<string, PageSource> {
  return {
    workload: {
      touched: details.touched,
      allTouched: details.allTouched,
      project: (id, scope) => details.page(id, scope),
      placeOf: (id) => (parseWorkloadId(id) ? placeOfWorkload(id) : undefined),
      open: () => details.open(),
      close: (id) => details.close(id),
    },
    queue: {
      touched: queues.touched,
      allTouched: queues.allTouched,
      project: (id, scope) => queues.page(id, scope),
      placeOf: placeOfQueue,
      close: (id) => queues.close(id),
    },
    rebalancer: {
      touched: rebalancers.touched,
      project: (name, scope) => rebalancers.page(name, scope),
      prepare: (scope, isLong, name) => rebalancers.prepare(scope, isLong, [name]),
      placeOf: () => REBALANCERS,
      flushIntervalMs: (name) => rebalancers.pageIntervalMs(name),
    },
    plan: {
      touched: plans.touched,
      project: (name, scope) => plans.page(name, scope),
      placeOf: () => PLANS,
      flushIntervalMs: (name) => plans.pageIntervalMs(name),
    },
  }
}
