/**
 * The log of a simulated container. No process runs and no line is stored: each line is derived from the run and its
 * number, so that all readers get the same lines, and a follower continues where a reader stopped.
 */
import type { EpochMs } from '@/lib/std/clock'
import { fnv1a32 } from '@/lib/std/fnv'
import type { ContainerRun } from './run'

export interface LogLine {
  at: EpochMs
  text: string
}

/** Until the first request is served. */
const START_MS = 1500
/** Lines of requests per log file; then it is rotated as a kubelet does, and only the last file is read. */
export const LINES_PER_FILE = 50_000

/** The lines after `from` until `to`, in order. */
export function* linesOf(run: ContainerRun, from: EpochMs, to: EpochMs): Generator<LogLine> {
  const last = lastSlot(run, to)
  const marks = marksOf(run).filter(({ at }) => at > from && at <= to)
  let next = 0
  for (let slot = slotBefore(run, from); slot <= last; slot += 1) {
    const line = slotLine(run, slot)
    if (line.at <= from || line.at > to || line.at > endOf(run)) continue
    while (next < marks.length && (marks[next] as LogLine).at <= line.at) yield marks[next++] as LogLine
    yield line
  }
  yield* marks.slice(next)
}

/** The last file until `to`: all of it, or its last `count` lines. */
export function lastFile(run: ContainerRun, to: EpochMs, count = Infinity): Iterable<LogLine> {
  const last = lastSlot(run, to)
  const first = Math.floor(Math.max(0, last) / LINES_PER_FILE) * LINES_PER_FILE
  const fileStart = first === 0 ? -Infinity : slotTime(run, first) - 1
  if (count > LINES_PER_FILE * 2) return linesOf(run, fileStart, to)
  // Each slot is a line, but that of the last one may be still to come.
  const from = last <= count ? -Infinity : slotTime(run, last - count - 1)
  return count === 0 ? [] : [...linesOf(run, Math.max(fileStart, from), to)].slice(-count)
}

/** Reports whether no line can follow the lines that are already determined. */
export const isOver = (run: ContainerRun): boolean => endOf(run) < Infinity

/** Returns the time of the next line after `after`, if the pod does not change. */
export function nextAt(run: ContainerRun, after: EpochMs): EpochMs {
  const mark = marksOf(run).find(({ at }) => at > after)?.at ?? Infinity
  let slot = slotBefore(run, after)
  while (slotTime(run, slot) <= after) slot += 1
  return Math.min(mark, slotTime(run, slot))
}

/** Milliseconds between two lines on average, from 0.8 s to 2.4 s. */
const periodOf = (run: ContainerRun): number => 800 + (seedOf(run) % 1600)

const endOf = ({ finished, stopAskedAt }: ContainerRun): EpochMs => (finished?.at ?? stopAskedAt ?? Infinity) + 1000

const slotBefore = (run: ContainerRun, at: EpochMs): number =>
  at === -Infinity ? 0 : Math.max(0, Math.floor((at - run.startedAt - START_MS) / periodOf(run)) - 1)

const lastSlot = (run: ContainerRun, to: EpochMs): number =>
  Math.floor((Math.min(to, endOf(run)) - run.startedAt - START_MS) / periodOf(run))

function slotTime(run: ContainerRun, slot: number): EpochMs {
  const period = periodOf(run)
  return run.startedAt + START_MS + slot * period + Math.floor(chanceOf(run, slot, Use.at) * period)
}

const seeds = new WeakMap<ContainerRun, number>()

/** Remembered, because hashing a text for every line would dominate the cost of a long log. */
function seedOf(run: ContainerRun): number {
  const known = seeds.get(run)
  if (known !== undefined) return known
  const seed = fnv1a32(`${run.uid}/${run.container}/${run.restarts}`)
  seeds.set(run, seed)
  return seed
}

/** A number in [0, 1) that depends on the run, the slot and the use only. */
const chanceOf = (run: ContainerRun, slot: number, use: number): number =>
  mixed(seedOf(run) ^ mixed(Math.imul(slot, 8) + use)) / 2 ** 32

const Use = { at: 0, method: 1, path: 2, ms: 3, code: 4 } as const

/** murmur3's finalizer: numbers that differ little get values that differ in all bits. */
function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

const METHODS = ['GET', 'GET', 'GET', 'GET', 'POST', 'PUT'] as const
const PATHS = ['/', '/api/items', '/api/items/42', '/api/orders', '/api/users/7', '/healthz', '/metrics'] as const

function slotLine(run: ContainerRun, slot: number): LogLine {
  const at = slotTime(run, slot)
  if (run.completes) return { at, text: `INFO  worker: step ${slot + 1} done` }
  if (!isReadyAt(run, at)) return { at, text: 'WARN  probe: GET /ready 503, not ready' }
  const pick = <T>(all: readonly T[], use: number): T => all[Math.floor(chanceOf(run, slot, use) * all.length)] as T
  const ms = 1 + Math.floor(chanceOf(run, slot, Use.ms) ** 4 * 240)
  const code = chanceOf(run, slot, Use.code)
  const [level, status] = code < 0.004 ? ['ERROR', 500] : code < 0.02 ? ['WARN ', 404] : ['INFO ', 200]
  return { at, text: `${level} http: ${pick(METHODS, Use.method)} ${pick(PATHS, Use.path)} ${status} ${ms} ms` }
}

function isReadyAt({ readiness }: ContainerRun, at: EpochMs): boolean {
  return !readiness || readiness.ready || at < readiness.since + 1000
}

/** What happened once. A time of the status is up to a second too early, so that these lines come a second later. */
function marksOf(run: ContainerRun): LogLine[] {
  const { readiness, stopAskedAt, finished } = run
  const marks = startOf(run)
  if (readiness) marks.push({ at: readiness.since + 1000, text: readinessText(readiness.ready) })
  if (finished) marks.push({ at: finished.at + 1000, text: endText(finished.exitCode) })
  else if (stopAskedAt !== undefined) {
    marks.push({ at: stopAskedAt + 1000, text: 'INFO  main: SIGTERM received, draining connections' })
    marks.push({ at: stopAskedAt + 1000, text: 'INFO  main: stopped' })
  }
  return marks
}

const readinessText = (ready: boolean): string =>
  ready ? 'INFO  probe: ready again, accepting requests' : 'WARN  probe: readiness failed, no new requests'

const endText = (exitCode: number): string =>
  exitCode === 0 ? 'INFO  main: completed' : `ERROR main: failed, exit code ${exitCode}`

function startOf(run: ContainerRun): LogLine[] {
  const { startedAt, container, image, restarts, node, address, ports, completes, readiness } = run
  const neverReady = readiness && !readiness.ready && readiness.since <= startedAt
  const where = ports.length > 0 ? ports.map((port) => `${address}:${port}`).join(', ') : address
  const texts = [
    'INFO  simulation: no process runs in this container; its log is derived from the status of the pod',
    `INFO  main: container ${container} of image ${image} started on ${node}, restarts: ${restarts}`,
    'INFO  config: loaded',
    ...(completes ? [] : [`INFO  http: listening on ${where}`]),
    ...(completes || neverReady ? [] : ['INFO  probe: GET /ready 200, ready']),
  ]
  return texts.map((text, index) => ({ at: startedAt + index * 120, text }))
}
