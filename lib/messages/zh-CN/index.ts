/** The catalogue in Simplified Chinese: the same codes and arguments as the English one. */
import { api } from './api'
import { browserCatalogue } from './browser'
import { server } from './server'

export const catalogue = {
  ...browserCatalogue,
  ...api,
  ...server,
}
