/** Names the work that blocks the event loop, and with it requests of other tenants and probes. */
import type { Logger } from '@/server/runtime/controller'
import type { Work, WorkNotes } from './work'

/** Minimum delay to report, in milliseconds. */
const TOLD_FROM_MS = 100
const POLL_MS = 50
const LINE_EVERY_MS = 1_000

export interface WatchdogOptions {
  notes: WorkNotes
  log: Logger
  /** Monotonic milliseconds. Default: those of this process. */
  now?: () => number
  /** Processor time of the main thread in milliseconds; undefined where it cannot be read. */
  busy?: () => number | undefined
  /** Minimum interval between log lines, in milliseconds; every delay is counted. Default 1000. */
  lineEveryMs?: number
  /** Called for every delay. */
  onBlocked: (by: string, seconds: number) => void
}

export interface Watchdog {
  /** Checks whether the last check was on time. Called by a timer, and by tests. */
  look(): void
  stop(): void
}

/** Checks every 50 ms, without keeping the process alive. */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  const { notes, log, now = () => performance.now(), busy = mainThreadBusy, onBlocked } = options
  const { lineEveryMs = LINE_EVERY_MS } = options
  let last = now()
  let lastBusy = busy()
  let toldAt = -Infinity
  const look = (): void => {
    const [at, busyNow] = [now(), busy()]
    if (at - last - POLL_MS >= TOLD_FROM_MS) {
      const { work, ms } = notes.longest(last, at)
      if (ms >= TOLD_FROM_MS) {
        onBlocked(work.by, ms / 1000)
        if (at - toldAt >= lineEveryMs) {
          toldAt = at
          const cpuMs = busyNow === undefined || lastBusy === undefined ? {} : { cpuMs: Math.round(busyNow - lastBusy) }
          log.warn({ ms: Math.round(ms), ...cpuMs, ...withoutQuery(work) }, 'event loop was blocked')
        }
      }
    }
    last = at
    lastBusy = busyNow
  }
  const timer = setInterval(look, POLL_MS).unref()
  return { look, stop: () => clearInterval(timer) }
}

/** Selectors in a query may contain any text. */
function withoutQuery(work: Work): Work {
  return work.path === undefined ? work : { ...work, path: work.path.split('?', 1)[0] ?? '' }
}

/** Distinguishes a process without CPU from one that computed. Node 22 cannot measure a single thread. */
function mainThreadBusy(): number | undefined {
  const usage = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage?.()
  return usage && (usage.user + usage.system) / 1000
}
