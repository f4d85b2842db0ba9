/** The catalogue in Simplified Chinese: the same codes and arguments as the English one. */
import { api } from './api'
import { browserCatalogue } from './browser'
import { queueActions } from './queue-actions'
import { rebalanceApi } from './rebalance-api'
import { server } from './server'

export const catalogue = { ...browserCatalogue, ...api, ...queueActions, ...rebalanceApi, ...server }
