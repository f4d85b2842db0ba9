/** What may change in a pod that is not to be scheduled yet: nodes may be ruled out, and none let in. */
import { deepEqual } from '@/lib/std/equal'
import { type FieldError, invalidField } from '../field-error'
import type { PodSpec } from '../kinds'
import { dumped } from './pod-dump'

const FIELD = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'

const isGated = ({ schedulingGates = [] }: PodSpec): boolean => schedulingGates.length > 0

/** The changes of where a gated pod may run that it may not take. */
export function validateGatedChanges(spec: PodSpec, before: PodSpec): FieldError[] {
  if (!isGated(before)) return []
  return [...validateSelector(spec.nodeSelector, before.nodeSelector), ...validateNodeAffinity(spec, before)]
}

/** The new spec with the old places. Those of a pod that is not gated are as they are sent. */
export function withPlacesOf(before: PodSpec, spec: PodSpec): PodSpec {
  if (!isGated(before)) return spec
  const { nodeSelector: _selector, affinity, ...rest } = spec
  const kept = affinityOf(affinity, before.affinity)
  return { ...rest, ...(before.nodeSelector && { nodeSelector: before.nodeSelector }), ...(kept && { affinity: kept }) }
}

type Affinity = PodSpec['affinity']

function affinityOf(next: Affinity, old: Affinity): Affinity {
  const [nodes, before] = [next?.nodeAffinity, old?.nodeAffinity]
  if (deepEqual(nodes, before)) return next
  if (!next) return { nodeAffinity: before! }
  if (!old && !next.podAffinity && !next.podAntiAffinity) return undefined
  const { nodeAffinity: _, ...others } = next
  return before ? { ...others, nodeAffinity: before } : others
}

type Labels = PodSpec['nodeSelector']

function validateSelector(next: Labels, old: Labels = {}): FieldError[] {
  const rule = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
  const isKept = Object.entries(old).every(([name, value]) => next?.[name] === value)
  return isKept ? [] : [invalidField('spec.nodeSelector', next ?? null, rule)]
}

type Terms = NonNullable<
  NonNullable<
    NonNullable<NonNullable<Affinity>['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
  >['nodeSelectorTerms']
>

const termsOf = (affinity: Affinity): Terms | undefined =>
  affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms

function validateNodeAffinity({ affinity }: PodSpec, before: PodSpec): FieldError[] {
  const [next, old = []] = [termsOf(affinity), termsOf(before.affinity)]
  if (deepEqual(affinity?.nodeAffinity, before.affinity?.nodeAffinity) || old.length === 0) return []
  const written = (term: Terms[number]): unknown => dumped('NodeSelectorTerm', term)
  if (next?.length !== old.length)
    return [
      invalidField(
        FIELD,
        next?.map(written) ?? null,
        'no additions/deletions to non-empty NodeSelectorTerms list are allowed',
      ),
    ]
  return next.flatMap((term, index) =>
    addsOnly(term, old[index]!)
      ? []
      : [invalidField(`${FIELD}[${index}]`, written(term), 'only additions are allowed (no mutations or deletions)')],
  )
}

type Requirements = NonNullable<Terms[number]['matchExpressions']>

/** An empty term selects nothing: what is added to it would let nodes in. */
function addsOnly(next: Terms[number], old: Terms[number]): boolean {
  const isEmpty = !old.matchExpressions?.length && !old.matchFields?.length
  if (isEmpty && (next.matchExpressions?.length || next.matchFields?.length)) return false
  const begins = (list: Requirements = [], before: Requirements = []): boolean =>
    before.every((one, index) => deepEqual(one, list[index]))
  return begins(next.matchExpressions, old.matchExpressions) && begins(next.matchFields, old.matchFields)
}
