import { access, ordinary } from './seeds'
import { describeRounds } from './throw-requests'

describeRounds([
  ['objects of the core', 8000, ordinary],
  ['rights, reviews and tokens', 3000, access],
])
