import type { Text } from '@/lib/messages'
import { CLUSTER_SCOPED } from './matrix-model'

/** How a group is called: as its namespace, kind or strategy. */
export const groupTitle = (text: Text, name: string): string =>
  name === CLUSTER_SCOPED ? text('fleet.clusterScoped') : name
