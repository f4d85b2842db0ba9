/** Keeps the two webhook configurations right, whatever becomes of queues, of our address and of the configurations. */
import { isAlreadyExists } from '@/lib/kube/errors'
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from '@/lib/kube/kinds'
import type { Kind } from '@/lib/kube/kind'
import { queue } from '@/lib/kube/kinds/queue'
import type { Draft, KubeObject } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import { type Controller, type ReconcilerContext, watch, type WatchSpec } from '@/server/runtime/controller'
import { CONFIGURATION, type ConfigurationInput, mutatingConfiguration, validatingConfiguration } from './configurations'
import type { Lines } from './lines'

/** All that is known before there are queues. */
export type Registered = Omit<ConfigurationInput, 'namespaces'>

type Configuration = KubeObject & { webhooks?: unknown[] }
const kinds = [mutatingWebhookConfiguration, validatingWebhookConfiguration] as unknown as readonly Kind<Configuration>[]

/** The loop `queue-webhooks`. One key: both configurations. */
export function registrationController({ client, informers }: ReconcilerContext, lines: Lines, registered: Registered): Controller {
  const everything = (): string[] => [CONFIGURATION]
  return {
    name: 'queue-webhooks',
    retry: { baseMs: 200, maxMs: 10_000 },
    watches: [
      watch({ kind: queue, keys: everything, relevant: (change) => change.type !== 'updated' || change.old.metadata.generation !== change.object.metadata.generation || !!change.object.metadata.deletionTimestamp !== !!change.old.metadata.deletionTimestamp }),
      ...kinds.map((kind): WatchSpec => watch({
        kind, keys: everything,
        relevant: (change) => (change.type === 'deleted' ? change.old : change.object).metadata.name === CONFIGURATION,
      })),
    ],
    reconcile: async () => {
      const input = { ...registered, namespaces: lines.namespaces() }
      const wanted = [mutatingConfiguration(input), validatingConfiguration(input)] as unknown as readonly Draft<Configuration>[]
      for (const [index, kind] of kinds.entries()) {
        const present = informers.of(kind).get(CONFIGURATION)
        if (present && deepEqual(present.webhooks, wanted[index]!.webhooks)) continue
        await write(kind, wanted[index]!, present)
      }
    },
    // Without any queue there are configurations, too: the next queue has to be judged.
    start: (queueOfKeys) => queueOfKeys.add(CONFIGURATION),
  }

  async function write(kind: Kind<Configuration>, wanted: Draft<Configuration>, present: Configuration | undefined): Promise<void> {
    if (present) {
      const { resourceVersion } = present.metadata
      await client.patch(kind, { name: CONFIGURATION }, { type: 'merge', value: { metadata: { resourceVersion }, webhooks: wanted.webhooks } })
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
