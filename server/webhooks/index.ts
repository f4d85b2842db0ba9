/** Admission of queues and of what waits in them. See README.md. */
import { selfSubjectReview } from '@/lib/kube/kinds/access-reviews'
import { apiVersionOf } from '@/lib/kube/kind'
import { queue } from '@/lib/kube/kinds/queue'
import type { KubeClient } from '@/server/kube/client'
import type { Controller, ReconcilerContext } from '@/server/runtime/controller'
import { paths } from './configurations'
import { refuseEvasion, refuseLateSuspension, suspendNewBindings } from './judge-bindings'
import { stampQueues, validateQueues } from './judge-queues'
import { createLines } from './lines'
import { listen, type ServingPair } from './listener'
import { registrationController } from './registration'

export type { ServingPair } from './listener'

export interface WebhookOptions {
  /** Where it listens; port 0 picks a free one. */
  host: string
  port: number
  pair: ServingPair
  /** How the API server reaches it, `https://host:port`. Default: the address that it listens on. */
  url?: string | undefined
  /** What happens to writes when nobody answers. Default `Fail`. */
  failurePolicy?: 'Fail' | 'Ignore'
  /** Admit late suspensions, as upstream. Default false. */
  upstream?: boolean
}

export interface Webhooks {
  url: string
  /** Keeps the API server told; for the manager of loops. */
  registration: Controller
  close(): Promise<void>
}

/** Starts to answer. Rejects when the port is taken or the copy of the queues cannot be made. */
export async function startWebhooks(context: ReconcilerContext, options: WebhookOptions): Promise<Webhooks> {
  const { host, port, pair, failurePolicy = 'Fail', upstream = false } = options
  const { client, clock, informers, log } = context
  const lines = createLines(informers)
  await informers.of(queue).whenSynced()
  const listener = await listen({
    host, port, pair,
    decisions: {
      [paths.suspend]: suspendNewBindings(lines),
      [paths.lateSuspension]: refuseLateSuspension,
      [paths.release]: refuseEvasion(client, lines),
      [paths.stamp]: stampQueues({ clock }),
      [paths.validate]: validateQueues({ client, clock }),
    },
    onError: (error, path) => log.warn({ err: error, path }, 'a write could not be judged'),
  })
  const url = (options.url ?? `https://${host.includes(':') ? `[${host}]` : host}:${listener.port}`).replace(/\/$/, '')
  const ownUser = await whoWeAre(client)
  const registration = registrationController(context, lines, { url, cert: pair.cert, failurePolicy, upstream, ownUser })
  return { url, registration, close: () => listener.close() }
}

/** Our name at the API server; undefined where it does not tell. Our own loops are asked about like anybody else then. */
async function whoWeAre(client: KubeClient): Promise<string | undefined> {
  const { status, body } = await client.raw('POST', `/apis/${apiVersionOf(selfSubjectReview)}/${selfSubjectReview.plural}`, {
    apiVersion: apiVersionOf(selfSubjectReview), kind: selfSubjectReview.kind, metadata: {},
  })
  const { userInfo } = (body as { status?: { userInfo?: { username?: string } } }).status ?? {}
  return status < 300 ? userInfo?.username : undefined
}
