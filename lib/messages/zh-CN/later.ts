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
}
