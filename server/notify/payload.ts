/** What receivers are sent: the body of a webhook, and alerts for an Alertmanager. */
import { createHash, createHmac } from 'node:crypto'
import { english } from '@/lib/messages/english'
import { type EpochMs, isoTime } from '@/lib/std/clock'
import { isEnd, type Notice, type NoticeEvent, type TrackedIncident } from '@/lib/view/notices/notices'
import { pageOfIncident } from '@/lib/view/notices/page'
import type { NoticePayload } from '@/lib/view/schemas/notices'
import { parseWorkloadId } from '@/lib/view/workload-id'

/** What all notices of one console share. */
export interface Sender {
  /** Address of the console, without a slash at the end. */
  consoleUrl: string
  /** The same for all instances of one control plane, and for no other. */
  controlPlane: string
}

/** As `POST /api/v2/alerts` takes it. */
export interface Alert {
  labels: Record<string, string>
  annotations: Record<string, string>
  startsAt: string
  endsAt: string
  generatorURL: string
}

/** An alert ends by itself unless it is sent again: it outlives four missed repetitions, and no dead console. */
export const ALERT_LASTS_MS = 300_000

/** Returns the same id for the same event on every instance; the hash reveals nothing about the event. */
export const idempotencyId = ({ controlPlane }: Sender, id: string): string =>
  createHash('sha256').update(`${controlPlane}\n${id}`).digest('hex').slice(0, 32)

/** How urgent an incident is before it is blocked. */
function severityOf({ kind, requested }: TrackedIncident): NoticePayload['severity'] {
  if (kind === 'cluster') return 'critical'
  return requested ? 'info' : 'warning'
}

function severityOfEvent(event: NoticeEvent, incident: TrackedIncident): NoticePayload['severity'] {
  if (event === 'IncidentBlocked') return 'critical'
  return isEnd(event) ? 'info' : severityOf(incident)
}

/** The body of a webhook. */
export function webhookPayload({ id, event, at, incident, text }: Notice, sender: Sender): NoticePayload {
  const { kind, since, requested, cluster, workload, plan, blocked } = incident
  const ref = workload === undefined ? undefined : parseWorkloadId(workload)
  return {
    version: '1',
    id: idempotencyId(sender, id),
    event,
    at,
    severity: severityOfEvent(event, incident),
    text: english.of(text),
    url: sender.consoleUrl + pageOfIncident(incident),
    incident: {
      id: idempotencyId(sender, incident.id),
      kind,
      since,
      requested,
      ...(cluster !== undefined && { cluster }),
      ...(ref && { workload: ref }),
      ...(plan !== undefined && { plan }),
      blockedWorkloads: blocked,
    },
  }
}

/** A webhook without an incident. */
export const testPayload = (id: string, at: string, { consoleUrl }: Sender): NoticePayload => ({
  version: '1',
  id,
  event: 'Test',
  at,
  severity: 'info',
  text: 'Test notice of Evenkeel',
  url: `${consoleUrl}/control-plane`,
})

/** The alerts of an incident: that it runs, and that it is blocked. `endedAt`: they are resolved. */
export function alertsOf(
  incident: TrackedIncident,
  sender: Sender,
  { now, labels, endedAt }: { now: EpochMs; labels: Record<string, string>; endedAt?: string },
): Alert[] {
  const { kind, since, blockedSince, toldBlocked, cluster, workload, plan, state, blockedBy } = incident
  const ref = workload === undefined ? undefined : parseWorkloadId(workload)
  const about = {
    kind,
    ...(cluster !== undefined && { cluster }),
    ...(ref && { workload_kind: ref.kind, workload: ref.name, ...(ref.namespace && { namespace: ref.namespace }) }),
    ...(plan !== undefined && { plan }),
  }
  const common = {
    endsAt: endedAt ?? isoTime(now + ALERT_LASTS_MS),
    generatorURL: sender.consoleUrl + pageOfIncident(incident),
  }
  const alert = (alertname: string, severity: string, more: { startsAt: string; summary: string }): Alert => ({
    ...common,
    labels: { ...labels, ...about, alertname, severity },
    annotations: { summary: more.summary },
    startsAt: more.startsAt,
  })
  return [
    alert(kind === 'plan' ? 'EvenkeelPlanHeld' : 'EvenkeelIncident', severityOf(incident), {
      startsAt: since,
      summary: english.of(state),
    }),
    ...(toldBlocked
      ? [
          alert('EvenkeelIncidentBlocked', 'critical', {
            startsAt: blockedSince ?? since,
            summary: english.of(blockedBy ?? state),
          }),
        ]
      : []),
  ]
}

/** An alert without an incident, already resolved. */
export const testAlert = (at: string, { consoleUrl }: Sender, labels: Record<string, string>): Alert => ({
  labels: { ...labels, alertname: 'EvenkeelTest', severity: 'info' },
  annotations: { summary: 'Test notice of Evenkeel' },
  startsAt: at,
  endsAt: at,
  generatorURL: `${consoleUrl}/control-plane`,
})

/** `t=SECONDS,v1=HEX`: HMAC-SHA-256 of `SECONDS.BODY`, so that an old body cannot be sent again as new. */
export function signatureOf(body: string, secret: string, now: EpochMs): string {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
