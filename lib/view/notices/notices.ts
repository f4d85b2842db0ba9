/** Computes notices: changes between two observations of the running incidents. */
import { nameOfId } from '@/lib/view/workload-id'
import { type Message, message } from '../../messages/message'
import { isoTime, parseTime, type EpochMs } from '../../std/clock'
import type { IncidentKind, RunningIncident } from './incidents'

export const NOTICE_EVENTS = ['IncidentBegan', 'IncidentBlocked', 'IncidentEnded', 'PlanHeld', 'PlanHoldEnded'] as const
export type NoticeEvent = (typeof NOTICE_EVENTS)[number]

/** State of a running incident. */
export interface TrackedIncident extends RunningIncident {
  /** Unique ID of this incident; another incident of the same subject has a different one. */
  id: string
  since: string
  /** Start in its last row; absent if another process tracked it, whose start may differ. */
  seenSince?: string
  /** Since when it is blocked without interruption. */
  blockedSince?: string
  /** A notice reported that it is blocked. */
  toldBlocked?: true
}

/** By key. */
export type Tracked = Readonly<Record<string, TrackedIncident>>

export interface Notice {
  /** `INCIDENT EVENT`: the same from every instance, so that receivers recognize duplicates. */
  id: string
  event: NoticeEvent
  /** RFC 3339. */
  at: string
  /** State at the event; for a finished incident, the last state. */
  incident: TrackedIncident
  text: Message
}

/** An incident counts as blocked after this time, because a controller may just need a moment. */
const BLOCKED_AFTER_MS = 30_000

/** Maximum difference between the times at which instances observe the same change. */
const AGREED_MS = 10_000

/** Compares tracked with running incidents. Notices of one incident are in order. */
export function noticesBetween(
  before: Tracked,
  running: readonly RunningIncident[],
  now: EpochMs,
): { after: Tracked; notices: Notice[] } {
  const after: Record<string, TrackedIncident> = {}
  const notices: Notice[] = []
  const current = new Map(running.map((incident) => [incident.key, incident]))
  for (const tracked of Object.values(before)) {
    const same = current.get(tracked.key)
    if (!same || !isSame(tracked, same)) notices.push(noticeOf(ended(tracked.kind), tracked, now))
  }
  for (const incident of current.values()) {
    const tracked = before[incident.key]
    const known = tracked !== undefined && isSame(tracked, incident) ? tracked : undefined
    const next = track(incident, known, now)
    if (!known) notices.push(noticeOf(began(incident.kind), next, now))
    if (next.toldBlocked && !known?.toldBlocked) notices.push(noticeOf('IncidentBlocked', next, now))
    after[incident.key] = next
  }
  return { after, notices }
}

/**
 * A cluster that was lost, ready and lost again between two observations has a new outage. Instances of the console
 * observe the start of one outage at slightly different times.
 */
function isSame({ seenSince }: TrackedIncident, { kind, since }: RunningIncident): boolean {
  if (kind !== 'cluster' || since === undefined || seenSince === undefined) return true
  return parseTime(since) - parseTime(seenSince) < AGREED_MS
}

function track(incident: RunningIncident, known: TrackedIncident | undefined, now: EpochMs): TrackedIncident {
  const since = known?.since ?? incident.since ?? isoTime(now)
  const blockedSince = incident.blocked === 0 ? undefined : (known?.blockedSince ?? isoTime(now))
  const isBlocked = blockedSince !== undefined && parseTime(blockedSince) + BLOCKED_AFTER_MS <= now
  return {
    ...incident,
    id: known?.id ?? `${incident.key} ${since}`,
    since,
    ...(incident.since !== undefined && { seenSince: incident.since }),
    ...(blockedSince !== undefined && { blockedSince }),
    ...((isBlocked || known?.toldBlocked) && { toldBlocked: true as const }),
  }
}

const began = (kind: IncidentKind): NoticeEvent => (kind === 'plan' ? 'PlanHeld' : 'IncidentBegan')
/** Reports whether the event ends an earlier notice. */
export const isEnd = (event: NoticeEvent): boolean => event === 'IncidentEnded' || event === 'PlanHoldEnded'

const ended = (kind: IncidentKind): NoticeEvent => (kind === 'plan' ? 'PlanHoldEnded' : 'IncidentEnded')

function noticeOf(event: NoticeEvent, incident: TrackedIncident, now: EpochMs): Notice {
  return { id: `${incident.id} ${event}`, event, at: isoTime(now), incident, text: textOf(event, incident) }
}

function textOf(event: NoticeEvent, incident: TrackedIncident): Message {
  const { kind, cluster = '', plan = '', workload, state, blocked, blockedBy, requested } = incident
  const name = workload === undefined ? '' : nameOfId(workload)
  switch (event) {
    case 'PlanHeld':
      return message('notices.plan.held', { plan, state })
    case 'PlanHoldEnded':
      return message('notices.plan.holdEnded', { plan })
    case 'IncidentBlocked':
      return workload === undefined
        ? message('notices.cluster.blocked', { cluster, n: blocked })
        : message('notices.workload.blocked', { workload: name, cluster, reason: blockedBy ?? state })
    case 'IncidentEnded':
      if (workload !== undefined) return message('notices.workload.ended', { workload: name, cluster })
      return message(kind === 'cluster' ? 'notices.cluster.ended' : 'notices.failover.ended', { cluster })
    case 'IncidentBegan':
      if (kind === 'application') return message('notices.application.began', { workload: name, cluster, state })
      if (workload !== undefined) return message('notices.workload.began', { workload: name, cluster, state })
      if (kind === 'cluster') return message('notices.cluster.began', { cluster, state })
      return message(requested ? 'notices.drain.began' : 'notices.failover.began', { cluster, state })
  }
}
