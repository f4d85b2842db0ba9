import { createManager } from '@/server/runtime/manager'
import type { Composition } from './composition'
import { companions, openWebhooks } from './webhooks'

/** Serves the embedded control plane without a console: the API server and its simulated members. */
export async function serveMembers(composition: Composition): Promise<void> {
  const { parts, stops } = composition
  const manager = createManager(parts)
  const webhooks = await openWebhooks(composition, parts)
  for (const loop of companions(composition, webhooks)) manager.add(loop)
  stops.unshift(() => manager.stop())
  await manager.start()
}
