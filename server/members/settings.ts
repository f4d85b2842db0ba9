/** Settings of a simulated member: the parsed annotations of its Cluster object. */
import type { Cluster } from '@/lib/kube/kinds'
import {
  isDown,
  parseCapacity,
  parseNodeCount,
  parseWorkloadNames,
  SIM_NODE_CPU,
  SIM_NODE_MEMORY,
  SIM_NODES,
  reportsReady,
  SIM_READY_AFTER,
  SIM_UNHEALTHY,
} from '@/lib/kube/simulation'
import { parseDuration } from '@/lib/std/duration'

export interface MemberSettings {
  /** True while the API does not answer and the controllers are stopped. */
  down: boolean
  nodes: number
  /** Quantities, for each node. */
  cpu: string
  memory: string
  /** From the start of a pod until it is ready, in milliseconds. */
  readyAfterMs: number
  /** True: statuses of workloads report every pod as ready. */
  reportsReady: boolean
  /** `namespace/name` of workloads whose pods never become ready. */
  unhealthy: ReadonlySet<string>
}

/** Parses the annotations; absent and invalid values take their default (3 nodes, 8 cores, 32Gi, 2 s). */
export function readSettings(cluster: Cluster): MemberSettings {
  const { annotations = {} } = cluster.metadata
  return {
    down: isDown(cluster),
    nodes: read(annotations[SIM_NODES], parseNodeCount, 3),
    cpu: read(annotations[SIM_NODE_CPU], parseCapacity, '8'),
    memory: read(annotations[SIM_NODE_MEMORY], parseCapacity, '32Gi'),
    readyAfterMs: read(annotations[SIM_READY_AFTER], parseDuration, 2000),
    reportsReady: reportsReady(cluster),
    unhealthy: new Set(parseWorkloadNames(annotations[SIM_UNHEALTHY] ?? '')),
  }
}

/** The parsed text, or the default. */
function read<T>(text: string | undefined, parse: (text: string) => T | undefined, fallback: T): T {
  return (text === undefined ? undefined : parse(text)) ?? fallback
}
