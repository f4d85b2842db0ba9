/** Simulated usage: a share of what a container requests, which changes every minute and is the same for every reader. */
import type { Node, Pod } from '@/lib/kube/kinds'
import { tryParseQuantity, quantityMilli, quantityValue } from '@/lib/kube/quantity'
import { type EpochMs, formatTime } from '@/lib/std/clock'
import { fnv1a32 } from '@/lib/std/fnv'

/** Milli-cores and bytes. */
export interface Usage {
  cpu: number
  memory: number
}

const MINUTE_MS = 60_000
const KIB = 1024
const MIB = KIB * KIB
/** Of a container without requests. */
const UNREQUESTED: Usage = { cpu: 10, memory: 32 * MIB }
/** Of a node without pods. */
const IDLE_NODE: Usage = { cpu: 60, memory: 400 * MIB }
const MIN_CPU = 0.2
const MAX_CPU = 0.8
const MIN_MEMORY = 0.5
const MAX_MEMORY = 0.9

type Container = NonNullable<Pod['spec']['containers']>[number]

/** Usage of each container of a running pod; none of any other pod. */
export function usageOfPod({ metadata, spec, status }: Pod, now: EpochMs): { name: string; usage: Usage }[] {
  if (status?.phase !== 'Running') return []
  const minute = Math.floor(now / MINUTE_MS)
  return spec.containers.map((container) => {
    const { name } = container
    const share = (what: string): number => (fnv1a32(`${metadata.uid}/${name}/${what}/${minute}`) % 1000) / 1000
    const requested = requestsOf(container)
    const between = (least: number, most: number, what: string): number => least + (most - least) * share(what)
    return {
      name,
      usage: {
        cpu: Math.max(1, Math.round(requested.cpu * between(MIN_CPU, MAX_CPU, 'cpu'))),
        memory: Math.round(requested.memory * between(MIN_MEMORY, MAX_MEMORY, 'memory')),
      },
    }
  })
}

function requestsOf({ resources }: Container): Usage {
  const { cpu, memory } = (resources?.requests ?? {}) as { cpu?: string | number; memory?: string | number }
  const [cores, bytes] = [cpu, memory].map((amount) => (amount === undefined ? undefined : tryParseQuantity(amount)))
  return {
    cpu: cores ? Number(quantityMilli(cores)) : UNREQUESTED.cpu,
    memory: bytes ? Number(quantityValue(bytes)) : UNREQUESTED.memory,
  }
}

/** Usage of a node with its pods. */
export function usageOfNode({ metadata }: Node, pods: readonly Pod[], now: EpochMs): Usage {
  const running = pods.filter(({ spec }) => spec.nodeName === metadata.name)
  return running
    .flatMap((pod) => usageOfPod(pod, now))
    .reduce((sum, { usage }) => ({ cpu: sum.cpu + usage.cpu, memory: sum.memory + usage.memory }), IDLE_NODE)
}

/** As quantities. */
export function quantitiesOf({ cpu, memory }: Usage): Record<'cpu' | 'memory', string> {
  return { cpu: `${cpu}m`, memory: `${Math.ceil(memory / KIB)}Ki` }
}

/** Returns the measured minute. */
export function measuredAt(now: EpochMs): { timestamp: string; window: string } {
  return { timestamp: formatTime(Math.floor(now / MINUTE_MS) * MINUTE_MS), window: '1m0s' }
}
