/** Watches whether the definition of one kind is installed. */
import type { Kind } from '@/lib/kube/kind'
import { resourceName } from '@/lib/kube/kind'
import { customResourceDefinition, type CustomResourceDefinition } from '@/lib/kube/kinds'
import type { Clock, Stop } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import { Reflector } from '@/server/kube/reflector'

export interface DefinitionHandlers {
  /** The definition was installed or changed. */
  onDefinition(): void
  /** Whether an installation would be noticed; false without permission, and while the server does not answer. */
  onWatched(isWatched: boolean): void
}

/** Starts to watch the definition of a kind. */
export type WatchDefinition = (kind: Kind, handlers: DefinitionHandlers) => Stop

/** Watches each definition by its name, so that an idle control plane sends nothing. */
export function definitionWatch(options: { client: KubeClient; clock: Clock; random: () => number }): WatchDefinition {
  return (kind, { onDefinition, onWatched }) => {
    const reflector = new Reflector<CustomResourceDefinition>({
      ...options,
      kind: customResourceDefinition,
      scope: { fieldSelector: `metadata.name=${resourceName(kind)}` },
      sink: {
        replace: (present) => {
          if (present.length > 0) onDefinition()
        },
        upsert: () => onDefinition(),
        remove: () => undefined,
      },
      onFreshness: (freshness) => {
        onWatched(freshness.state === 'live')
        // A right that is granted later is found by the next check, not by asking for it all the time.
        if (freshness.state === 'stale' && freshness.code !== undefined && REFUSED.has(freshness.code)) stop()
      },
    })
    const stop = (): void => void reflector.stop()
    reflector.start()
    return stop
  }
}

const REFUSED: ReadonlySet<number> = new Set([401, 403, 404])
