/** The English catalogue: every sentence of the product, by its code. Written after docs/language.md. */
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
} as const

export type Catalogue = typeof catalogue
