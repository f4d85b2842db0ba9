/** The part of the catalogue that every page may need once it shows its data. */
import { apiActions } from './api-actions'
import { placement } from './placement'
import { queues } from './queues'
import { rebalance } from './rebalance'
import { timeline } from './timeline'
import { workloadPage } from './workload-page'
import { failoverPage } from './failover-page'
import { clusterPages } from './cluster-pages'

export const laterCatalogue = {
  ...clusterPages,
  ...failoverPage,
  ...workloadPage,
  ...apiActions,
  ...placement,
  ...queues,
  ...rebalance,
  ...timeline,
} as const
