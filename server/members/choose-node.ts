/** Which node takes a pod. */

/** Thousandths of CPU, whole units of everything else, by resource name. */
export type Amounts = ReadonlyMap<string, number>

/** A node as the scheduler sees it. */
export interface NodeRoom {
  name: string
  labels: Readonly<Record<string, string>>
  unschedulable: boolean
  allocatable: Amounts
  used: Amounts
}

/** What a pod needs of a node. */
export interface PodNeeds {
  /** `pods` itself is counted, not requested. */
  requests: Amounts
  nodeSelector: Readonly<Record<string, string>>
}

export type NodeChoice = { node: string } | { message: string }

/**
 * Among the nodes that fit, the one with the largest share of CPU free, then with room for most pods, then by name;
 * otherwise why none fits, as kube-scheduler words it.
 */
export function chooseNode(rooms: readonly NodeRoom[], needs: PodNeeds): NodeChoice {
  let best: NodeRoom | undefined
  const obstacles = new Map<string, number>()
  for (const room of rooms) {
    const reasons = obstaclesOf(room, needs)
    for (const reason of reasons) obstacles.set(reason, (obstacles.get(reason) ?? 0) + 1)
    if (reasons.length === 0 && (!best || isBetter(room, best))) best = room
  }
  return best ? { node: best.name } : { message: explain(rooms.length, obstacles) }
}

function obstaclesOf(room: NodeRoom, { requests, nodeSelector }: PodNeeds): string[] {
  if (room.unschedulable) return ['node(s) were unschedulable']
  if (Object.entries(nodeSelector).some(([key, value]) => room.labels[key] !== value)) {
    return ["node(s) didn't match Pod's node affinity/selector"]
  }
  const short = [...requests].filter(([name, amount]) => amount > 0 && amount > free(room, name)).map(([name]) => `Insufficient ${name}`)
  return free(room, 'pods') < 1 ? ['Too many pods', ...short] : short
}

function isBetter(a: NodeRoom, b: NodeRoom): boolean {
  const lead = freeShare(a) - freeShare(b) || free(a, 'pods') - free(b, 'pods')
  return lead === 0 ? a.name < b.name : lead > 0
}

const free = ({ allocatable, used }: NodeRoom, name: string): number => (allocatable.get(name) ?? 0) - (used.get(name) ?? 0)

function freeShare(room: NodeRoom): number {
  const cpu = room.allocatable.get('cpu') ?? 0
  return cpu > 0 ? free(room, 'cpu') / cpu : 0
}

function explain(nodes: number, obstacles: ReadonlyMap<string, number>): string {
  if (nodes === 0) return 'no nodes available to schedule pods'
  const parts = [...obstacles].map(([reason, count]) => `${count} ${reason}`).toSorted()
  return `0/${nodes} nodes are available: ${parts.join(', ')}.`
}
