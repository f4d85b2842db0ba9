/** MultiClusterService: its permanent id. */
import { MULTI_CLUSTER_SERVICE_ID_LABEL } from '../names'
import type { KindRules } from '../rules'

/** Rules of MultiClusterService. */
export const multiClusterServiceRules: KindRules = {
  mutate: (object, _, context) => {
    const { labels } = object.metadata
    if (labels?.[MULTI_CLUSTER_SERVICE_ID_LABEL]) return object
    const identified = { ...labels, [MULTI_CLUSTER_SERVICE_ID_LABEL]: context.uid() }
    return { ...object, metadata: { ...object.metadata, labels: identified } }
  },
}
