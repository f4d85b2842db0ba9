import type { FailoverOrder } from '@/lib/view/actions'

/** What becomes of the copy that is left. */
export const PURGE_MODES = [
  { value: 'Gracefully', label: 'when the replacement is healthy' },
  { value: 'Directly', label: 'at once' },
  { value: 'Never', label: 'never, until somebody releases it' },
] as const
export type PurgeMode = (typeof PURGE_MODES)[number]['value']

interface Named {
  action: string | undefined
  cluster: string | undefined
  workload: string | undefined
  purge?: string | undefined
}

/** The order that an address, or a button, names; undefined when it names none. */
export function orderOf({ action, cluster, workload, purge }: Named): FailoverOrder | undefined {
  if (cluster === undefined) return undefined
  if (action === 'drain' || action === 'undrain') return { action, cluster }
  if (workload === undefined) return undefined
  if (action === 'keep' || action === 'release') return { action, cluster, workload }
  if (action !== 'evict') return undefined
  const purgeMode = PURGE_MODES.find(({ value }) => value === purge)?.value ?? 'Gracefully'
  return { action, cluster, workload, purgeMode }
}
