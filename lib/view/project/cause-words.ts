/** Causes of placement changes, for people. */
import type { PlacementCause } from '@/lib/domain/cause'
import { joinWords } from '@/lib/format/numbers'
import type { CausedBy } from '../journal'

/** `plan wave 2 of shop-1 by alice`, `cluster failover of member1`; several are joined. */
export function causedText({ trigger, causes }: CausedBy): string {
  return causes && causes.length > 0 ? causesText(causes) : trigger
}

export function causesText(causes: readonly PlacementCause[]): string {
  return joinWords(causes.map(causeText), causes.length)
}

function causeText(cause: PlacementCause): string {
  return cause.by === undefined ? wordsOf(cause) : `${wordsOf(cause)} by ${cause.by}`
}

function wordsOf({ code, object, wave, cluster, taint }: PlacementCause): string {
  switch (code) {
    case 'plan wave': return `plan wave ${wave ?? ''} of ${object?.name ?? 'a plan'}`
    case 'undo': return `undo ${object?.name ?? ''}`.trimEnd()
    case 'rebalance': return object ? `rebalance ${object.name}` : 'rebalance'
    case 'policy change': return object ? `policy change: ${nameOf(object)}` : 'policy change'
    case 'cluster failover': return `cluster failover of ${cluster ?? ''}${taint === undefined ? '' : ` (${taint})`}`
    case 'application failover': return `application failover in ${cluster ?? ''}`
    case 'drain': return `drain of ${cluster ?? ''}`
    case 'eviction': return `eviction by hand from ${cluster ?? ''}`
    case 'cluster removal': return `removal of cluster ${cluster ?? ''}`
    default: return code
  }
}

const nameOf = ({ namespace, name }: NonNullable<PlacementCause['object']>): string =>
  (namespace === undefined ? name : `${namespace}/${name}`)
