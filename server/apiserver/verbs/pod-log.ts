/** Logs of pods, and errors of subresources that need processes. */
import type { ContainerStatus, Pod } from '@/lib/kube/kinds'
import type { Ask } from '../api'
import { type Answer, type Reply, text } from '../call'
import { badRequest, kindNotFound } from '../failures'
import { integerOf } from '../query'
import { find } from './get'

/**
 * GET of a log. A pod without a node has no log. Containers of simulated pods run no process: their log says so, and
 * since when they count as running.
 */
export async function readLog(ask: Ask): Promise<Answer> {
  const pod = find(ask).value as unknown as Pod
  const tail = integerOf(ask.call.query, 'tailLines')
  const container = chosenContainer(pod, ask.call.query.get('container') ?? '')
  if (!pod.spec.nodeName) return text(200, '')
  requireNode(ask, pod.spec.nodeName)
  const lines = linesOf(pod, container)
  return text(200, (tail === undefined ? lines : lines.slice(lines.length - Math.min(tail, lines.length))).join(''))
}

function chosenContainer({ metadata: { name }, spec }: Pod, asked: string): string {
  const { containers, initContainers = [] } = spec
  const [only] = containers
  if (asked === '') {
    if (only && containers.length === 1) return only.name
    const list = (all: readonly { name: string }[]): string => `[${all.map((one) => one.name).join(' ')}]`
    const others = initContainers.length > 0 ? ` or one of the init containers: ${list(initContainers)}` : ''
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: ${list(containers)}${others}`)
  }
  if ([...containers, ...initContainers].some((one) => one.name === asked)) return asked
  throw badRequest(`container ${asked} is not valid for pod ${name}`)
}

function requireNode({ api, keyspace }: Ask, name: string): void {
  if (!api.store.get({ keyspace: keyspace.name, resource: 'nodes', key: name })) throw kindNotFound('nodes', name)
}

function linesOf({ metadata, status }: Pod, container: string): string[] {
  const known = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
  const found = known.find(({ name }) => name === container)
  const since = found && startOf(found)
  if (!found || since === undefined) {
    const reason = found?.state?.waiting?.reason ?? 'ContainerCreating'
    throw badRequest(`container "${container}" in pod "${metadata.name}" is waiting to start: ${reason}`)
  }
  const { image, restartCount } = found
  return [
    `container ${container} of this simulated pod counts as running since ${since}\n`,
    `image ${image} was not pulled and nothing was executed; restarts: ${restartCount}\n`,
  ]
}

function startOf({ state }: ContainerStatus): string | undefined {
  return state?.running?.startedAt ?? state?.terminated?.startedAt ?? state?.terminated?.finishedAt
}

/** Running something inside a pod, or talking to it: there is nothing inside. Throws 400, or 404 without the pod. */
export async function reachInside(ask: Ask): Promise<Reply> {
  const {
    metadata: { name },
    spec,
  } = find(ask).value as unknown as Pod
  if (!spec.nodeName) throw badRequest(`pod ${name} does not have a host assigned`)
  throw badRequest(`pod ${name} is simulated: it runs no process that could be reached`)
}
