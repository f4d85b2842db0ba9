/** The catalogue in Simplified Chinese: the same codes and arguments as the English one. */
import { activity } from './activity'
import { api } from './api'
import { clusters } from './clusters'
import { common } from './common'
import { failover } from './failover'
import { fleet } from './fleet'
import { plan } from './plan'
import { queues } from './queues'
import { rebalance } from './rebalance'
import { server } from './server'
import { shell } from './shell'
import { spread } from './spread'
import { workload } from './workload'

export const catalogue = {
  ...activity,
  ...api,
  ...clusters,
  ...common,
  ...failover,
  ...fleet,
  ...plan,
  ...queues,
  ...rebalance,
  ...server,
  ...shell,
  ...spread,
  ...workload,
}
