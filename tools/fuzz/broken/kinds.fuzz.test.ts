import { definitions, federated } from './seeds'
import { describeRounds } from './throw-requests'

describeRounds([
  ['objects of the federation', 5000, federated],
  ['definitions, their objects and webhooks', 4000, definitions],
])
