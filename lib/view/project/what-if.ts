/** The views of a what-if and of a failback. */
import type { FailbackSuggestion } from '@/lib/domain/rebalance/failback'
import type { WhatIf, WhatIfTarget } from '@/lib/domain/rebalance/what-if'
import { formatTime } from '@/lib/std/clock'
import type { State } from '../model'
import type { FailbackView, WhatIfTargetView, WhatIfView } from '../rebalance-model'
import { workloadId } from '../workload-id'
import { toReplicas } from './binding-facts'

export interface WhatIfFacts {
  cluster: string
  others?: readonly string[]
  cause: WhatIfView['cause']
  whatIf: WhatIf
}

const STATE_OF: Readonly<Record<WhatIfTarget['outcome'], State>> = {
  stuck: 'fail',
  lost: 'fail',
  shrinks: 'warn',
  moves: 'active',
  stays: 'held',
}

/** The most troubled first. */
const BY_TROUBLE: readonly WhatIfTarget['outcome'][] = ['stuck', 'lost', 'shrinks', 'stays', 'moves']

export function projectWhatIf({ cluster, others = [], cause, whatIf }: WhatIfFacts): WhatIfView {
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
  }
}

const trouble = ({ outcome }: WhatIfTargetView): number => BY_TROUBLE.indexOf(outcome)

function projectTarget({ workload, outcome, reason, before, after, ...facts }: WhatIfTarget): WhatIfTargetView {
  const { apiVersion, kind, namespace, name } = workload
  const ref = { apiVersion, kind, ...(namespace && { namespace }), name }
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
