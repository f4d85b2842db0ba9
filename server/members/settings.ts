/** How a simulated member is shaped: the annotations on its Cluster object, read once. */
import type { Cluster } from '@/lib/kube/kinds'
import { tryParseQuantity } from '@/lib/kube/quantity'
import { isDown, SIM_NODE_CPU, SIM_NODE_MEMORY, SIM_NODES, SIM_READY_AFTER, SIM_UNHEALTHY } from '@/lib/kube/simulation'

export interface MemberSettings {
  /** Its API does not answer and nothing moves in it. */
  down: boolean
  nodes: number
  /** Quantities, for each node. */
  cpu: string
  memory: string
  /** From the start of a pod until it is ready, in milliseconds. */
  readyAfterMs: number
  /** `namespace/name` of workloads whose pods never become ready. */
  unhealthy: ReadonlySet<string>
}

const MOST_NODES = 1000

/** Reads the annotations; what is absent or makes no sense takes its default (3 nodes, 8 cores, 32Gi, 2 s). */
export function readSettings(cluster: Cluster): MemberSettings {
  const { annotations = {} } = cluster.metadata
  return {
    down: isDown(cluster),
    nodes: readCount(annotations[SIM_NODES], 3),
    cpu: readQuantity(annotations[SIM_NODE_CPU], '8'),
    memory: readQuantity(annotations[SIM_NODE_MEMORY], '32Gi'),
    readyAfterMs: readDurationMs(annotations[SIM_READY_AFTER], 2000),
    unhealthy: new Set((annotations[SIM_UNHEALTHY] ?? '').split(',').map((name) => name.trim()).filter(Boolean)),
  }
}

function readCount(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Math.min(Number(text), MOST_NODES) : fallback
}

function readQuantity(text: string | undefined, fallback: string): string {
  const quantity = text === undefined ? undefined : tryParseQuantity(text)
  return quantity && quantity.nano > 0n ? text! : fallback
}

function readDurationMs(text: string | undefined, fallback: number): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text?.trim() ?? '') ?? []
  if (amount === undefined) return fallback
  return Number(amount) * ({ ms: 1, s: 1000, m: 60_000 }[unit as 'ms'] ?? 1000)
}
