/** The English catalogue: every sentence of the product, by its code. Written after docs/language.md. */
import { activity } from './activity'
import { api } from './api'
import { apiDocument } from './api-document'
import { apiReference } from './api-reference'
import { browserCatalogue } from './browser'
import { config } from './config'
import { controlPlane } from './control-plane'
import { spread } from './spread'
import { whatIf } from './what-if'
import { drill } from './drill'
import { incident } from './incident'
import { laterCatalogue } from './later'
import { notices } from './notices'
import { overview } from './overview'
import { plan } from './plan'
import { planPicture } from './plan-picture'
import { fleetHeat } from './fleet-heat'
import { members } from './members'
import { policies } from './policies'
import { queueDrawers } from './queue-drawers'
import { queueLanes } from './queue-lanes'
import { queueActions } from './queue-actions'
import { rebalanceApi } from './rebalance-api'
import { rehearsal } from './rehearsal'
import { rehearsals } from './rehearsals'
import { resilience } from './resilience'
import { server } from './server'
import { twin } from './twin'

export const catalogue = {
  ...browserCatalogue,
  ...laterCatalogue,
  ...activity,
  ...apiReference,
  ...api,
  ...apiDocument,
  ...config,
  ...incident,
  ...notices,
  ...overview,
  ...drill,
  ...whatIf,
  ...spread,
  ...controlPlane,
  ...plan,
  ...planPicture,
  ...fleetHeat,
  ...members,
  ...policies,
  ...queueDrawers,
  ...queueLanes,
  ...queueActions,
  ...rebalanceApi,
  ...rehearsal,
  ...rehearsals,
  ...resilience,
  ...server,
  ...twin,
} as const

export type Catalogue = typeof catalogue
