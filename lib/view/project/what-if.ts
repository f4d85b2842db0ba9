/** Views of a what-if and of a failback. */
import type { FailbackSuggestion } from '@/lib/domain/rebalance/failback'
import type { Rescaled } from '@/lib/domain/rebalance/premise'
import { workloadOf } from '@/lib/domain/rebalance/select'
import type { WhatIf, WhatIfTarget } from '@/lib/domain/rebalance/what-if'
import { formatTime } from '@/lib/std/clock'
import type { State } from '../model'
import type { FailbackView, WhatIfTargetView, WhatIfView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { toReplicas } from './binding-facts'

/** The load is computed from what the reader may view. */
export type WithoutLoad = Omit<WhatIfView, 'load'>
type Places = WhatIfTargetView['before']

export interface WhatIfFacts {
  cluster: string
  others?: readonly string[]
  cause: WhatIfView['cause']
  whatIf: WhatIf
  rescaled?: readonly Rescaled[]
}

const STATE_OF: Readonly<Record<WhatIfTarget['outcome'], State>> = {
  stuck: 'fail',
  lost: 'fail',
  shrinks: 'warn',
  moves: 'active',
  stays: 'held',
}

/** Worst outcome first. */
const BY_TROUBLE: readonly WhatIfTarget['outcome'][] = ['stuck', 'lost', 'shrinks', 'stays', 'moves']

export function projectWhatIf({ cluster, others = [], cause, whatIf, rescaled = [] }: WhatIfFacts): WithoutLoad {
  const { counts, withoutFailoverPolicy, replicasMoved, headroom } = whatIf
  return {
    id: `${cause}/${[cluster, ...others].join(',')}`,
    cluster,
    others: [...others],
    cause,
    counts: { ...counts },
    open: whatIf.targets.filter(({ isOpen }) => isOpen).length,
    withoutFailoverPolicy,
    replicasMoved,
    headroom: headroom.map((line) => ({ ...line })),
    targets: whatIf.targets.map(projectTarget).sort((a, b) => trouble(a) - trouble(b) || (a.id < b.id ? -1 : 1)),
    rescaled: rescaled.map(projectRescaled),
  }
}

function projectRescaled({ binding, wanted, before, after }: Rescaled): WhatIfView['rescaled'][number] {
  const ref = refOf(workloadOf(binding))
  return {
    id: workloadId(ref),
    ref,
    ...(wanted !== undefined && { wanted }),
    before: toReplicas([...before]),
    after: toReplicas([...after]),
  }
}

/** Returns the current and final placement of each workload. */
export function movesOf({ targets, rescaled }: WithoutLoad): { id: string; before: Places; after: Places }[] {
  const first = new Map(rescaled.map(({ id, before }) => [id, before]))
  const last = new Set(targets.map(({ id }) => id))
  return [
    ...targets.map(({ id, before, after }) => ({ id, before: first.get(id) ?? before, after })),
    ...rescaled.filter(({ id }) => !last.has(id)),
  ]
}

const refOf = ({ apiVersion, kind, namespace, name }: WhatIfTarget['workload']): WhatIfTargetView['ref'] => ({
  apiVersion,
  kind,
  ...(namespace && { namespace }),
  name,
})

const trouble = ({ outcome }: WhatIfTargetView): number => BY_TROUBLE.indexOf(outcome)

function projectTarget({ workload, outcome, reason, before, after, ...facts }: WhatIfTarget): WhatIfTargetView {
  const ref = refOf(workload)
  return {
    id: workloadId(ref),
    ref,
    outcome,
    state: { state: STATE_OF[outcome], reason: reason.text },
    before: toReplicas([...before]),
    after: toReplicas([...after]),
    replicas: facts.replicas,
    readyElsewhere: facts.readyElsewhere,
    toleratesSeconds: facts.toleratesSeconds,
    isOpen: facts.isOpen,
    hasFailoverPolicy: facts.hasFailoverPolicy,
  }
}

export function projectFailback({
  cluster,
  healthySince,
  isStable,
  stableAt,
  left,
  returning,
}: FailbackSuggestion): FailbackView {
  return {
    id: cluster,
    cluster,
    healthySince: formatTime(healthySince),
    stableAt: formatTime(stableAt),
    isStable,
    left: left.length,
    returning: returning.length,
    replicas: returning.reduce((sum, { replicas }) => sum + replicas, 0),
  }
}
