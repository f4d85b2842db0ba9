import type { FailoverOrder } from '@/lib/view/actions'

/** When the old replicas are deleted. */
export const PURGE_MODES = ['Gracefully', 'Directly', 'Never'] as const
export type PurgeMode = (typeof PURGE_MODES)[number]

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
  return { action, cluster, workload, purgeMode: PURGE_MODES.find((mode) => mode === purge) ?? 'Gracefully' }
}
