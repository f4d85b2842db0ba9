/** Figures of the process under test. */
import { readFileSync } from 'node:fs'

export interface Measure {
  /** The longest delay of the event loop since the last measure, milliseconds of real time. */
  delayMs: number
  /** CPU time of the main thread in milliseconds since its start; undefined if the system does not report it. */
  busyMs: number | undefined
  heapMiB: number
  residentMiB: number
  descriptors: number
}

const MIB = 1024 * 1024

/** Reads the text of `/metrics` and, on Linux, scheduler statistics of the main thread. */
export function measureOf(metrics: string, pid: number): Measure {
  const figure = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  return {
    delayMs: figure('nodejs_eventloop_lag_max_seconds') * 1000,
    busyMs: busyMsOf(pid),
    heapMiB: Math.round(figure('nodejs_heap_size_used_bytes') / MIB),
    residentMiB: Math.round(figure('process_resident_memory_bytes') / MIB),
    descriptors: figure('process_open_fds'),
  }
}

/** The first figure of `schedstat` is the time on a processor, in nanoseconds; waiting for one is not in it. */
function busyMsOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return undefined
  }
}
