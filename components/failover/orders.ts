import type { FailoverOrder } from '@/lib/view/actions'

/** What becomes of the copy that is left. */
export const PURGE_MODES = [
  { value: 'Gracefully', label: 'when the replacement is healthy' },
  { value: 'Directly', label: 'at once' },
  { value: 'Never', label: 'never, until somebody releases it' },
] as const
export type PurgeMode = (typeof PURGE_MODES)[number]['value']

interface Named {
  act: string | undefined
  cluster: string | undefined
  workload: string | undefined
  purge?: string | undefined
}

/** The order that an address, or a button, names; undefined when it names none. */
export function orderOf({ act, cluster, workload, purge }: Named): FailoverOrder | undefined {
  if (cluster === undefined) return undefined
  if (act === 'drain' || act === 'undrain') return { act, cluster }
  if (workload === undefined) return undefined
  if (act === 'keep' || act === 'release') return { act, cluster, workload }
  if (act !== 'evict') return undefined
  const purgeMode = PURGE_MODES.find(({ value }) => value === purge)?.value ?? 'Gracefully'
  return { act, cluster, workload, purgeMode }
}
