/** Measures a page during an activity: frames, long tasks, and CPU time of the main thread by kind of work. */
import type { CDPSession, Page } from '@playwright/test'
import { quantileOf } from '../quantile'

/** CPU time of the main thread since the page was opened, in milliseconds. */
interface Costs {
  task: number
  script: number
  style: number
  layout: number
}

export interface FrameFigures {
  seconds: number
  framesPerSecond: number
  gapMs: Quantiles
  /** CPU time of the main thread, by kind; `other` is painting, compositing, parsing and collecting garbage. */
  mainThreadCpuMsPerFrame: Costs & { other: number }
  mainThreadCpuShare: number
  longTasks: { count: number; longestMs: number }
}

export interface Quantiles {
  count: number
  p50: number | undefined
  p75: number | undefined
  p95: number | undefined
  p99: number | undefined
  max: number | undefined
}

/** Values in any order. */
export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number | undefined => {
    const value = quantileOf(sorted, share)
    return value === undefined ? undefined : rounded(value)
  }
  return { count: sorted.length, p50: at(0.5), p75: at(0.75), p95: at(0.95), p99: at(0.99), max: at(1) }
}

export const rounded = (value: number): number => Math.round(value * 100) / 100

/**
 * Runs in the page: records times between frames and long tasks until `endFrames` is called. Passed as text, because a
 * compiled function refers to helpers that the page lacks.
 */
const FOLLOW_FRAMES = `
  globalThis.endFrames?.()
  const gaps = []
  const tasks = []
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  observer.observe({ type: 'longtask' })
  let [last, next] = [undefined, 0]
  const look = (now) => {
    if (last !== undefined) gaps.push(now - last)
    last = now
    next = requestAnimationFrame(look)
  }
  next = requestAnimationFrame(look)
  globalThis.endFrames = () => {
    cancelAnimationFrame(next)
    observer.disconnect()
    globalThis.endFrames = undefined
    return { gaps, tasks }
  }
`

/** Measures the page while `work` runs. */
export async function duringFrames(page: Page, cdp: CDPSession, work: () => Promise<unknown>): Promise<FrameFigures> {
  await page.evaluate(FOLLOW_FRAMES)
  const [before, began] = [await costsOf(cdp), performance.now()]
  await work()
  const [after, ended] = [await costsOf(cdp), performance.now()]
  const { gaps, tasks } = await page.evaluate<{ gaps: number[]; tasks: number[] }>('globalThis.endFrames()')
  const frames = Math.max(1, gaps.length)
  const perFrame = (kind: keyof Costs): number => rounded((after[kind] - before[kind]) / frames)
  const [task, script, style, layout] = [perFrame('task'), perFrame('script'), perFrame('style'), perFrame('layout')]
  const time = gaps.reduce((sum, gap) => sum + gap, 0)
  return {
    seconds: rounded((ended - began) / 1000),
    framesPerSecond: rounded((gaps.length / time) * 1000),
    gapMs: quantilesOf(gaps),
    mainThreadCpuMsPerFrame: { task, script, style, layout, other: rounded(task - script - style - layout) },
    mainThreadCpuShare: rounded((after.task - before.task) / (ended - began)),
    longTasks: { count: tasks.length, longestMs: Math.round(Math.max(0, ...tasks)) },
  }
}

async function costsOf(cdp: CDPSession): Promise<Costs> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const of = (name: string): number => (metrics.find((each) => each.name === name)?.value ?? 0) * 1000
  return {
    task: of('TaskDuration'),
    script: of('ScriptDuration'),
    style: of('RecalcStyleDuration'),
    layout: of('LayoutDuration'),
  }
}
