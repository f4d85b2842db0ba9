/** The catalogue in Simplified Chinese: the same codes and arguments as the English one. */
import { api } from './api'
import { browserCatalogue } from './browser'
import { clusters } from './clusters'
import { common } from './common'
import { failover } from './failover'
import { fleet } from './fleet'
import { plan } from './plan'
import { queueActions } from './queue-actions'
import { queueReasons } from './queue-reasons'
import { queues } from './queues'
import { rebalance } from './rebalance'
import { server } from './server'
import { shell } from './shell'
import { spread } from './spread'
import { suspension } from './suspension'
import { workload } from './workload'

export const catalogue = {
  ...browserCatalogue,
  ...api,
  ...clusters,
  ...common,
  ...failover,
  ...fleet,
  ...plan,
  ...queueActions,
  ...queueReasons,
  ...queues,
  ...rebalance,
  ...server,
  ...shell,
  ...spread,
  ...suspension,
  ...workload,
}
