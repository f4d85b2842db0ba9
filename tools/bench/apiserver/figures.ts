/** Figures of a bench: percentiles, and who was busy meanwhile. */
import { quantileOf } from '../quantile'
import type { ServerProcess } from './server-process'

export interface Percentiles {
  p50Milliseconds: number
  p99Milliseconds: number
}

export function percentiles(latencies: Iterable<number>): Percentiles {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number): number => round(quantileOf(sorted, share) ?? 0)
  return { p50Milliseconds: at(0.5), p99Milliseconds: at(0.99) }
}

/** To two digits. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}

/** How busy both sides were, in cores. */
export interface Busy {
  seconds: number
  serverCores: number
  serverCpuSeconds: number
  clientCores: number
}

/** Runs `work` and measures which side was busy. */
export async function busyDuring<T>(server: ServerProcess, work: () => Promise<T>): Promise<{ result: T; busy: Busy }> {
  const before = await server.usage()
  const own = process.cpuUsage()
  const start = performance.now()
  const result = await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(own)
  const serverCpuSeconds = (await server.usage()).cpuSeconds - before.cpuSeconds
  const busy = {
    seconds,
    serverCpuSeconds,
    serverCores: round(serverCpuSeconds / seconds),
    clientCores: round((user + system) / 1e6 / seconds),
  }
  return { result, busy }
}

/** Runs `work` again and again, one after the other. */
export async function timed(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = []
  for (let index = 0; index < count; index++) {
    const start = performance.now()
    await work(index)
    latencies.push(performance.now() - start)
  }
  return latencies
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
