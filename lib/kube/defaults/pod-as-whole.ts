/** Defaults of pods, not of templates: what a pod asks for as a whole, and the ports that it has on its node. */
import type { Container, PodSpec } from '../kinds'
import { sumOfContainers } from '../pod-resources'
import { formatQuantity } from '../quantity'
import { canonical } from './pod'

type Amounts = Record<string, number | string>

const SHARED = new Set(['cpu', 'memory'])
const isPages = (name: string): boolean => name.startsWith('hugepages-')

/** The limits that a pod has as a whole, and what it asks for: what its containers do, or all that it may use. */
export function withPodResources(spec: PodSpec): PodSpec {
  const { limits: given, requests: asked } = spec.resources ?? {}
  if (!spec.resources || (Object.keys(given ?? {}).length === 0 && Object.keys(asked ?? {}).length === 0)) return spec
  const pages = amountsOf(spec, 'limits', (name) => isPages(name) && asked?.[name] === undefined)
  const limits = canonical({ ...pages, ...given })
  if (Object.keys(limits).length === 0)
    return { ...spec, resources: { ...spec.resources, requests: canonical(asked ?? {}) } }
  const whole = Object.fromEntries(Object.entries(limits).filter(([name]) => SHARED.has(name) || isPages(name)))
  const requests = canonical({ ...whole, ...amountsOf(spec, 'requests', (name) => SHARED.has(name)), ...asked })
  return { ...spec, resources: { ...spec.resources, limits, ...(Object.keys(requests).length > 0 && { requests }) } }
}

function amountsOf(spec: PodSpec, list: 'limits' | 'requests', has: (name: string) => boolean): Amounts {
  return Object.fromEntries(
    [...sumOfContainers(spec, list)].flatMap(([name, sum]) => (has(name) ? [[name, formatQuantity(sum)]] : [])),
  )
}

/** A pod cannot be given less than no time to end. */
export function withGrace(spec: PodSpec): PodSpec {
  return (spec.terminationGracePeriodSeconds ?? 0) < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec
}

/** In the network of its node a container has the port of the node. */
export function withNodePorts(spec: PodSpec): PodSpec {
  if (!spec.hostNetwork) return spec
  const complete = (container: Container): Container =>
    container.ports
      ? {
          ...container,
          ports: container.ports.map((port) => ({ ...port, hostPort: port.hostPort || port.containerPort })),
        }
      : container
  return {
    ...spec,
    ...(spec.containers && { containers: spec.containers.map(complete) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(complete) }),
  }
}
