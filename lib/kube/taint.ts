/** Taints keep workloads away; tolerations let them stay. The same rules for clusters as for nodes. */

/** Fields of a taint. `timeAdded` is set for `NoExecute`. */
export interface TaintLike {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}

/** Fields of a toleration. */
export interface TolerationLike {
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: number
}

/**
 * True when the toleration covers the taint: an empty effect or key covers all; operator `Exists` any value; `Equal` or
 * none the same value, also with an empty key. Any other operator covers nothing.
 */
export function tolerates(toleration: TolerationLike, taint: TaintLike): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false
  if (toleration.key && toleration.key !== taint.key) return false
  const operator = toleration.operator || 'Equal'
  if (operator === 'Exists') return true
  return operator === 'Equal' && (toleration.value ?? '') === (taint.value ?? '')
}

/** The first taint, in list order and with one of the effects, that no toleration covers. */
export function firstUntolerated<T extends TaintLike>(
  taints: readonly T[] | undefined,
  tolerations: readonly TolerationLike[] | undefined,
  effects: readonly string[],
): T | undefined {
  return taints?.find(
    (taint) => effects.includes(taint.effect) && !tolerations?.some((toleration) => tolerates(toleration, taint)),
  )
}

/** `key=value:Effect`, without `=value` when there is none. */
export function formatTaint(taint: TaintLike): string {
  return `${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`
}
