/** The part of the catalogue that browsers load. Texts that only the server renders stay out of it. */
import { access } from './access'
import { clusters } from './clusters'
import { apiActions } from './api-actions'
import { common } from './common'
import { errors } from './errors'
import { failover } from './failover'
import { fleet } from './fleet'
import { login } from './login'
import { placement } from './placement'
import { queueReasons } from './queue-reasons'
import { queues } from './queues'
import { rebalance } from './rebalance'
import { shell } from './shell'
import { suspension } from './suspension'
import { timeline } from './timeline'
import { workload } from './workload'

export const browserCatalogue = {
  ...access,
  ...clusters,
  ...apiActions,
  ...common,
  ...errors,
  ...failover,
  ...fleet,
  ...login,
  ...placement,
  ...queueReasons,
  ...queues,
  ...rebalance,
  ...shell,
  ...suspension,
  ...timeline,
  ...workload,
}
