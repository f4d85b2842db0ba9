/** Decision of the NoExecute taint manager for one binding in one cluster, compared with recorded ones. */
import { decideNoExecute, matchTolerations, noExecuteTaints, type NoExecuteVerdict } from '@/lib/domain/eviction'
import type { Taint, Toleration } from '@/lib/kube/kinds'
import { parseTime } from '@/lib/std/clock'
import { canonical, differs } from '../compare'
import type { Case, Judge, Suite } from '../suite'

interface Input {
  now: string
  enableNoExecuteTaintEviction: boolean
  clusterExists: boolean
  taints: Taint[] | null
  appliedPlacement: string | null
  clusterTolerations: Toleration[] | null
}

interface Output {
  decision: NoExecuteVerdict['decision']
  needEviction: boolean
  /** From `now` to the deadline. */
  tolerationSeconds: number | null
  enqueue?: 'add' | 'addAfter' | 'skip'
  enqueueAfterSeconds?: number
  allTolerated: boolean
  usedTolerations: number[]
}

function judge({ input, output }: Case<Input, Output>): string | undefined {
  const now = parseTime(input.now)
  const verdict = decide(input, now)
  const actual = { ...outcome(verdict, now), ...enqueue(input, verdict, now), ...tolerated(input) }
  const {
    tolerationSeconds,
    needEviction,
    decision,
    enqueue: how,
    enqueueAfterSeconds,
    allTolerated,
    usedTolerations,
  } = output
  const expected = {
    decision,
    needEviction,
    tolerationSeconds,
    ...(how && { enqueue: how }),
    ...(enqueueAfterSeconds !== undefined && { enqueueAfterSeconds }),
    allTolerated,
    usedTolerations,
  }
  return differs('decision', actual, expected)
}

/** With eviction switched off, or without the cluster, no taint counts; a broken placement is still an error. */
function decide(input: Input, now: number): NoExecuteVerdict {
  const counts = input.enableNoExecuteTaintEviction && input.clusterExists
  return decideNoExecute({
    now,
    taints: counts ? (input.taints ?? []) : [],
    appliedPlacement: input.appliedPlacement ?? undefined,
  })
}

function outcome(verdict: NoExecuteVerdict, now: number) {
  return {
    decision: verdict.decision,
    needEviction: verdict.decision === 'evict',
    tolerationSeconds: verdict.decision === 'after' ? (verdict.deadline - now) / 1000 : null,
  }
}

function enqueue(input: Input, verdict: NoExecuteVerdict, now: number) {
  const reached =
    input.enableNoExecuteTaintEviction && input.clusterExists && noExecuteTaints(input.taints ?? []).length > 0
  if (!reached) return {}
  if (verdict.decision === 'never') return { enqueue: 'skip' }
  if (verdict.decision !== 'after') return { enqueue: 'add' }
  return { enqueue: 'addAfter', enqueueAfterSeconds: (verdict.deadline - now) / 1000 }
}

function tolerated(input: Input) {
  const tolerations = input.clusterTolerations ?? []
  const { untolerated, used } = matchTolerations(noExecuteTaints(input.taints ?? []), tolerations)
  return {
    allTolerated: untolerated === undefined,
    usedTolerations: used.map((toleration) =>
      tolerations.findIndex((candidate) => canonical(candidate) === canonical(toleration)),
    ),
  }
}

export const suite: Suite = { name: 'taints', judge: judge as Judge }
