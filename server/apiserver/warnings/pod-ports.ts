/** Warnings about the ports of a pod: those of all its containers share one network. */
import type { Container } from '@/lib/kube/kinds'

/** A container and the path to it. */
export interface Placed {
  container: Container
  path: string
}

type Port = NonNullable<Container['ports']>[number]

/** Equal and overlapping ports. */
export function portWarnings(containers: readonly Placed[]): string[] {
  const known = new Map<string, { port: Port; at: string }[]>()
  return portsOf(containers).flatMap(({ port, at }) => {
    const key = `${port.containerPort}/${port.protocol}`
    const others = known.get(key) ?? []
    known.set(key, [...others, { port, at }])
    return [
      ...(port.hostIP && !port.hostPort ? [`${at}: hostIP set without hostPort: ${portText(port)}`] : []),
      ...others.flatMap((other) => {
        const overlap = overlapOf(port, other.port)
        return overlap === undefined ? [] : [`${at}: ${overlap} port definition with ${other.at}`]
      }),
    ]
  })
}

function portText({ name = '', hostPort = 0, containerPort, protocol = 'TCP', hostIP = '' }: Port): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}

function overlapOf(one: Port, other: Port): string | undefined {
  const [a, b] = [one.hostIP ?? '', other.hostIP ?? '']
  const [port, otherPort] = [one.hostPort ?? 0, other.hostPort ?? 0]
  if (a === b && port === otherPort) return 'duplicate'
  if (port === 0 || otherPort === 0) return 'overlapping'
  return port === otherPort && (a === '') !== (b === '') ? 'dangerously ambiguous' : undefined
}

/** Equal names of ports. */
export function portNameWarnings(containers: readonly Placed[]): string[] {
  const places = new Map<string, string>()
  return portsOf(containers).flatMap(({ port: { name }, at }) => {
    if (!name) return []
    const other = places.get(name)
    if (other === undefined) places.set(name, at)
    const use = `services and probes that select ports by name will use ${other}`
    return other === undefined ? [] : [`${at}: duplicate port name ${JSON.stringify(name)} with ${other}, ${use}`]
  })
}

function portsOf(containers: readonly Placed[]): { port: Port; at: string }[] {
  return containers.flatMap(({ container: { ports = [] }, path }) =>
    ports.map((port, index) => ({ port, at: `${path}.ports[${index}]` })),
  )
}
