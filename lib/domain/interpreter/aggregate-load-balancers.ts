/** Aggregates the addresses of Services and Ingresses. */
import { ingressStatus, serviceStatus } from './shapes'
import type { Shape } from './shape'
import { type AggregationInput, collected, type Fields, replacedStatus } from './member-status'

interface Port {
  port: number
  protocol: string
  error?: string
}

interface IngressPoint {
  hostname?: string
  ip?: string
  ipMode?: string
  ports?: Port[]
}

/** Aggregates Services of type LoadBalancer; other types have no ingress points. */
export function aggregateServiceStatus(input: AggregationInput): Fields | undefined {
  const spec = (input.template.spec ?? {}) as Fields
  return spec.type === 'LoadBalancer' ? aggregatePoints(input, serviceStatus) : undefined
}

export function aggregateIngressStatus(input: AggregationInput): Fields | undefined {
  return aggregatePoints(input, ingressStatus)
}

function aggregatePoints({ template, items }: AggregationInput, shape: Shape): Fields | undefined {
  const points = collected(items, shape).flatMap(
    ({ status }) => (status.loadBalancer as { ingress?: IngressPoint[] }).ingress ?? [],
  )
  return replacedStatus(template, shape, { loadBalancer: { ingress: mergePoints(points) } })
}

/** Returns one entry per address, with the ports of all its occurrences, in a stable order. */
function mergePoints(points: readonly IngressPoint[]): IngressPoint[] {
  const merged = new Map<string, IngressPoint>()
  for (const point of points) {
    const key = JSON.stringify([point.hostname, point.ip, point.ipMode])
    const known = merged.get(key)
    merged.set(key, known ? { ...known, ports: [...(known.ports ?? []), ...(point.ports ?? [])] } : point)
  }
  return [...merged.values()].map(withSortedPorts).sort(comparePoints)
}

function withSortedPorts(point: IngressPoint): IngressPoint {
  if (!point.ports) return point
  const distinct = new Map(point.ports.map((port) => [JSON.stringify([port.port, port.protocol, port.error]), port]))
  return { ...point, ports: [...distinct.values()].sort(comparePorts) }
}

function comparePorts(left: Port, right: Port): number {
  return (
    left.port - right.port
    || compareText(left.protocol, right.protocol)
    || compareText(left.error ?? '', right.error ?? '')
  )
}

/** Orders host names before addresses, and entries with an IP mode before those without. */
function comparePoints(left: IngressPoint, right: IngressPoint): number {
  return (
    compareEmptyLast(left.hostname, right.hostname)
    || compareText(left.ip ?? '', right.ip ?? '')
    || compareEmptyLast(left.ipMode, right.ipMode)
  )
}

function compareEmptyLast(left = '', right = ''): number {
  if (!left || !right) return Number(!left) - Number(!right)
  return compareText(left, right)
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
