/** Metrics of notices about incidents. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { INCIDENT_KINDS } from '@/lib/view/notices/incidents'
import type { NoticeMetrics } from '@/server/notify'

export function noticeMetrics(registry: Registry): NoticeMetrics {
  const registers = [registry]
  const notices = new Counter({
    name: 'evenkeel_notices_total',
    help: 'Notices by receiver and result; failed: given up, dropped: the queue was full.',
    labelNames: ['receiver', 'result'],
    registers,
  })
  const attempts = new Counter({
    name: 'evenkeel_notice_attempts_total',
    help: 'Requests to receivers of notices.',
    labelNames: ['receiver', 'result'],
    registers,
  })
  const waiting = new Gauge({
    name: 'evenkeel_notice_queue_length',
    help: 'Notices that wait for a receiver.',
    labelNames: ['receiver'],
    registers,
  })
  const incidents = new Gauge({
    name: 'evenkeel_incidents',
    help: 'Incidents that run, as the process that sends notices sees them.',
    labelNames: ['kind'],
    registers,
  })
  return {
    noticeDone: (receiver, result) => notices.inc({ receiver, result }),
    noticeAttempted: (receiver, result) => attempts.inc({ receiver, result }),
    noticesWaiting: (receiver, count) => waiting.set({ receiver }, count),
    incidentsRunning(byKind) {
      for (const kind of INCIDENT_KINDS) incidents.set({ kind }, byKind.get(kind) ?? 0)
    },
  }
}
