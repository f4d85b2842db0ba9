/** The part of the catalogue that every page of a browser begins with; `later.ts` follows the first picture. */
import { access } from './access'
import { clusters } from './clusters'
import { common } from './common'
import { errors } from './errors'
import { failover } from './failover'
import { fleet } from './fleet'
import { login } from './login'
import { queueReasons } from './queue-reasons'
import { shell } from './shell'
import { suspension } from './suspension'
import { workload } from './workload'

export const browserCatalogue = {
  ...access,
  ...clusters,
  ...common,
  ...errors,
  ...failover,
  ...fleet,
  ...login,
  ...queueReasons,
  ...shell,
  ...suspension,
  ...workload,
}
