/** What machines ask. */
import type { World } from '../world/world'
import { plainText } from './answers'
import type { Probe } from './router'

export interface ProbeDeps {
  world: Pick<World, 'hasSynced'>
  /** The text of `/metrics`; without it there is none. */
  metrics?: (() => Promise<{ contentType: string; text: string }>) | undefined
}

export function probes({ world, metrics }: ProbeDeps): Probe[] {
  return [
    { path: '/healthz', answer: () => plainText(200, 'ok') },
    { path: '/readyz', answer: () => (world.hasSynced() ? plainText(200, 'ok') : plainText(503, 'the caches are not yet synced')) },
    ...(metrics ? [{ path: '/metrics', answer: async () => ({ status: 200, ...(await metrics()) }) }] : []),
  ]
}
