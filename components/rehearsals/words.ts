/** Name and summary of a rehearsal. */
import type { Text } from '@/lib/messages'
import type { State } from '@/lib/view/model'
import type { RehearsalResultView, RehearsalView } from '@/lib/view/rehearsal-model'

/** State and word of a row of the list. */
export function stateOf({ state, verdict }: RehearsalView) {
  if (state === 'done') {
    return verdict?.passed
      ? ({ state: 'ok', code: 'rehearsals.state.passed' } as const)
      : ({ state: 'fail', code: 'rehearsals.state.failed' } as const)
  }
  return { state: STATES[state], code: `rehearsals.state.${state}` } as const
}

const STATES: Record<Exclude<RehearsalView['state'], 'done'>, State> = {
  waiting: 'held',
  running: 'active',
  ended: 'warn',
  cancelled: 'unknown',
}

/** The truth about it, first. */
export function headlineOf(text: Text, run: RehearsalView): string {
  switch (run.state) {
    case 'waiting':
      return text('rehearsals.headline.waiting', { ahead: run.ahead ?? 0 })
    case 'running':
      return progressOf(text, run)
    case 'done':
      return verdictOf(text, run)
    case 'ended':
      return text('rehearsals.headline.ended')
    case 'cancelled':
      return text('rehearsals.headline.cancelled')
  }
}

function progressOf(text: Text, { progress, durationMs, steps }: RehearsalView): string {
  if (!progress || progress.phase === 'copying') return text('rehearsals.headline.copying')
  const at = { ms: progress.atMs }
  if (progress.phase === 'settling') return text('rehearsals.headline.settling', { at })
  return text('rehearsals.headline.running', { at, duration: { ms: durationMs }, done: progress.stepsDone, steps })
}

function verdictOf(text: Text, { verdict, worst, assertions }: RehearsalView): string {
  const { holding = 0, unchecked = 0 } = verdict ?? {}
  const summary = text('rehearsals.headline.done', { holding, unchecked, total: assertions })
  if (!worst) return text('rehearsals.headline.calm', { verdict: summary })
  const { workload, ready, desired, forMs } = worst
  return text('rehearsals.headline.worst', {
    verdict: summary,
    workload: workloadName(workload),
    ready,
    desired,
    time: { ms: forMs },
  })
}

/** What an assertion asks for, with its limit; its own name if it has one. */
export function assertionName(text: Text, { name, kind, limit }: AssertionView): string {
  if (name !== kind) return name
  if (limit?.timeMs !== undefined) return text('rehearsals.asks.recoverWithin', { time: { ms: limit.timeMs } })
  if (limit?.replicas !== undefined) return text('rehearsals.asks.keepReplicas', { replicas: limit.replicas })
  if (limit?.share === undefined) return text(`rehearsals.kind.${kind as 'keepBudgets'}`)
  return text(`rehearsals.asks.${kind as 'maxLoad' | 'keepReady'}`, { share: { share: limit.share } })
}

type AssertionView = RehearsalResultView['assertions'][number]

export const workloadName = ({ namespace, name }: { namespace: string; name: string }): string => `${namespace}/${name}`
