/** Intended deviations of failover from upstream: the results with each switch, and those of upstream. */
import { type FailoverProfile, upstreamFailoverProfile } from '@/lib/domain/failover'
import { parseTime } from '@/lib/std/clock'
import { type FailoverInput, tracePasses } from './appfailover'
import { differs, firstOf } from '../compare'
import { assessInput, type EvictionInput } from './eviction'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  /** The only enabled switch; all others follow upstream. */
  switch: keyof FailoverProfile | 'emptyIsNotHealthy' | 'extendGrace' | 'countReplicas' | 'dropUnknownClusters'
  /** Passes of application failover, or one of graceful eviction in a fleet. */
  passes?: FailoverInput
  eviction?: EvictionInput & { fleet: string[] }
}

interface Output {
  ours: unknown
  upstream: unknown
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  return firstOf(
    differs('ours', run(input, true), output.ours),
    differs('upstream', run(input, false), output.upstream),
  )
}

function run({ passes, eviction, ...input }: Input, on: boolean): unknown {
  if (passes) return tracePasses(passes, { ...upstreamFailoverProfile, [input.switch]: on })
  if (!eviction) throw new Error('a case needs passes or an eviction')
  const isOn = (name: Input['switch']): boolean => on && input.switch === name
  const plan = assessInput(eviction, {
    emptyCountsAsHealthy: !on,
    extendGrace: isOn('extendGrace'),
    countReplicas: isOn('countReplicas'),
    ...(isOn('dropUnknownClusters') && { knownClusters: new Set(eviction.fleet) }),
  })
  return {
    gracefulEvictionTasks: plan.tasks,
    evictedClusters: plan.dropped.map(({ cluster }) => cluster),
    extended: plan.extended,
    lookAgainAfterSeconds: plan.graceEndsAt === undefined ? null : (plan.graceEndsAt - parseTime(eviction.now)) / 1000,
  }
}

export const suite: Suite = { name: 'failover-deviations', judge: judge as Judge }
