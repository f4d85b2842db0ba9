import { mountedKeyPair, webhookKeyPair } from '@/server/embedded/credentials'
import { memberSimulation } from '@/server/members'
import { accessController } from '@/server/members/access-controller'
import type { Controller, ReconcilerContext } from '@/server/runtime/controller'
import { startWebhooks, type Webhooks } from '@/server/webhooks'
import type { Composition } from './composition'

/**
 * Opens the webhooks of queues: on loopback beside the embedded API server, at `--webhook-url` beside a real one,
 * otherwise none. `registering` is the context of the controller that registers them. Rejects if the port is in use.
 */
export async function openWebhooks(
  { config, plane: { mode }, parts, stops }: Composition,
  registering: ReconcilerContext,
): Promise<Webhooks | undefined> {
  const { dataDir, compatibility } = config
  const { port, url, certDir, failurePolicy } = config.webhooks
  if (mode === 'connected' && url === undefined) return undefined
  const host = mode === 'connected' ? '0.0.0.0' : '127.0.0.1'
  const ownPair = () => webhookKeyPair(dataDir, url === undefined ? host : new URL(url).hostname, parts.clock.now())
  const pair = certDir === undefined ? await ownPair() : mountedKeyPair(certDir)
  const webhooks = await startWebhooks(
    parts,
    { host, port, pair, url, failurePolicy, ...compatibility.queueWebhooks },
    registering,
  )
  stops.unshift(webhooks.close)
  return webhooks
}

/** Returns the controllers that always run: registration of the webhooks, and the simulated members. */
export function companions({ config, plane, parts }: Composition, webhooks: Webhooks | undefined): Controller[] {
  const { ca } = plane
  const url = plane.url.replace(/^http:/, 'https:')
  const impersonator = config.compatibility.admission.upstream
  return [
    ...(webhooks ? [webhooks.registration] : []),
    ...(plane.mode === 'embedded' ? memberSimulation({ ...parts, ...parts.ofSimulation }) : []),
    ...(ca === undefined ? [] : [accessController(parts, { url, ca, impersonator })]),
  ]
}
