import type { Kind } from '@/lib/kube/kind'
import type { KubeObject } from '@/lib/kube/object'
import type { Informer } from '@/server/kube/informer'

/** The informer of a kind that this control plane does not serve: empty, complete and never changing. */
export function emptyInformer<T extends KubeObject>(kind: Kind<T>): Informer<T> {
  return {
    kind,
    get: () => undefined,
    list: () => [],
    listNamespace: () => [],
    byIndex: () => [],
    addIndex: () => undefined,
    hasSynced: () => true,
    whenSynced: () => Promise.resolve(),
    freshness: () => ({ state: 'live', resourceVersion: '' }),
    onChange: () => () => undefined,
    onFreshness: () => () => undefined,
  }
}
