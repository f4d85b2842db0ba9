/** Admission of queues and of pending workloads. See README.md. */
import type { LocalWebhooks } from '@/server/kube/local-webhooks'
import type { Controller, ReconcilerContext } from '@/server/runtime/controller'
import { paths } from './configurations'
import { recordResumer, refuseQueueBypass, refuseSuspensionChange, suspendNewBindings } from './binding-webhooks'
import { stampQueues, validateQueues } from './queue-webhooks'
import { createQueueLookup, type QueueLookup } from './queue-lookup'
import { listen, type ServingPair } from './listener'
import { registrationController } from './registration'
import { answerReview, type Decide, type Review } from './review'

export type { ServingPair } from './listener'

export interface WebhookOptions {
  /** Where it listens; port 0 picks a free one. */
  host: string
  port: number
  pair: ServingPair
  /** How the API server reaches it, `https://host:port`. Default: the address that it listens on. */
  url?: string | undefined
  /** What happens to writes when the webhook is unavailable. Default `Fail`. */
  failurePolicy?: 'Fail' | 'Ignore'
  /** Refuse to suspend placed bindings; Karmada admits it. Default true. */
  refuseLateSuspension?: boolean
}

export interface Webhooks {
  url: string
  /** Keeps the API server told; for the manager of loops. */
  registration: Controller
  close(): Promise<void>
}

/**
 * Starts the listener. `registering` is the context of the controller that registers the webhooks; only one process may
 * write there, while all of them respond. Rejects if the port is in use.
 */
export async function startWebhooks(
  context: ReconcilerContext,
  options: WebhookOptions,
  registering = context,
): Promise<Webhooks> {
  const { host, port, pair, failurePolicy = 'Fail', refuseLateSuspension = true } = options
  const lookup = createQueueLookup(context.informers)
  const listener = await listen({
    host,
    port,
    pair,
    decisions: decisionsOf(context, lookup),
    onError: (error, path) => context.log.warn({ err: error, path }, 'admission review failed'),
  })
  const url = (options.url ?? `https://${host.includes(':') ? `[${host}]` : host}:${listener.port}`).replace(/\/$/, '')
  const registration = registrationController(registering, lookup, {
    url,
    cert: pair.cert,
    failurePolicy,
    refuseLateSuspension,
  })
  return { url, registration, close: () => listener.close() }
}

/** Answers in this process, for API servers in it that know these webhooks. */
export function startLocalWebhooks(
  context: ReconcilerContext,
  { local, refuseLateSuspension = true }: Pick<WebhookOptions, 'refuseLateSuspension'> & { local: LocalWebhooks },
): Webhooks {
  const lookup = createQueueLookup(context.informers)
  const decisions: Readonly<Record<string, Decide>> = decisionsOf(context, lookup)
  const { url, close } = local.serve((path, review) => answerReview(review as Review, decisions[path]!))
  const registered = { url, cert: '', failurePolicy: 'Fail', refuseLateSuspension } as const
  return { url, registration: registrationController(context, lookup, registered), close: async () => close() }
}

const decisionsOf = ({ client, clock }: ReconcilerContext, lookup: QueueLookup) => ({
  [paths.suspend]: suspendNewBindings(lookup),
  [paths.recordResumer]: recordResumer(clock),
  [paths.lateSuspension]: refuseSuspensionChange,
  [paths.release]: refuseQueueBypass(client, lookup),
  [paths.stamp]: stampQueues({ clock }),
  [paths.validate]: validateQueues({ client, clock }),
})
