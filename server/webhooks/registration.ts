/** Keeps the two webhook configurations right, whatever becomes of queues, of our address and of the configurations. */
import { isAlreadyExists } from '@/lib/kube/errors'
import { selfSubjectReview } from '@/lib/kube/kinds/access-reviews'
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from '@/lib/kube/kinds'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { queue, type QueueObject } from '@/lib/kube/kinds/queue'
import type { Draft, KubeObject } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { KubeClient } from '@/server/kube/client'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch, type WatchSpec } from '@/server/runtime/controller'
import {
  CONFIGURATION,
  type ConfigurationInput,
  mutatingConfiguration,
  validatingConfiguration,
} from './configurations'
import type { QueueLookup } from './queue-lookup'

/** The configuration that is known without a request. */
export type Registered = Omit<ConfigurationInput, 'namespaces' | 'ownUser'>

type Configuration = KubeObject & { webhooks?: unknown[] }
const kinds = [
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
] as unknown as readonly Kind<Configuration>[]

/** The loop `queue-webhooks`. One key: both configurations. */
export function registrationController(
  { client, informers }: ReconcilerContext,
  lookup: QueueLookup,
  registered: Registered,
): Controller {
  const everything = (): string[] => [CONFIGURATION]
  let ownUser: { name: string | undefined } | undefined
  return {
    name: 'queue-webhooks',
    retry: { baseMs: 200, maxMs: 10_000 },
    watches: [
      watch({ kind: queue, keys: everything, relevant: movesNamespaces }),
      ...kinds.map((kind): WatchSpec =>
        watch({
          kind,
          keys: everything,
          relevant: (change) =>
            (change.type === 'deleted' ? change.old : change.object).metadata.name === CONFIGURATION,
        }),
      ),
    ],
    reconcile: async () => {
      ownUser ??= { name: await ownIdentity(client) }
      const input = { ...registered, ownUser: ownUser.name, namespaces: lookup.namespaces() }
      const wanted = [
        mutatingConfiguration(input),
        validatingConfiguration(input),
      ] as unknown as readonly Draft<Configuration>[]
      for (const [index, kind] of kinds.entries()) {
        const present = informers.of(kind).get(CONFIGURATION)
        if (present && deepEqual(present.webhooks, wanted[index]!.webhooks)) continue
        await write(kind, wanted[index]!, present)
      }
    },
    // Without any queue there are configurations, too: the next queue has to be judged.
    start: (queueOfKeys) => queueOfKeys.add(CONFIGURATION),
  }

  async function write(
    kind: Kind<Configuration>,
    wanted: Draft<Configuration>,
    present: Configuration | undefined,
  ): Promise<void> {
    if (present) {
      const { resourceVersion } = present.metadata
      await client.patch(
        kind,
        { name: CONFIGURATION },
        { type: 'merge', value: { metadata: { resourceVersion }, webhooks: wanted.webhooks } },
      )
      return
    }
    try {
      await client.create(kind, wanted)
    } catch (error) {
      // The copy is behind; its next change brings us back.
      if (!isAlreadyExists(error)) throw error
    }
  }
}

/**
 * Our name at the API server; undefined where it does not tell. Our own controllers are then reviewed like other clients.
 */
async function ownIdentity(client: KubeClient): Promise<string | undefined> {
  const { status, body } = await client.raw(
    'POST',
    `/apis/${apiVersionOf(selfSubjectReview)}/${selfSubjectReview.plural}`,
    { apiVersion: apiVersionOf(selfSubjectReview), kind: selfSubjectReview.kind, metadata: {} },
  )
  const { userInfo } = (body as { status?: { userInfo?: { username?: string } } }).status ?? {}
  return status < 300 ? userInfo?.username : undefined
}

function movesNamespaces(change: Change<QueueObject>): boolean {
  if (change.type !== 'updated') return true
  const [before, after] = [change.old.metadata, change.object.metadata]
  return before.generation !== after.generation || before.deletionTimestamp !== after.deletionTimestamp
}
