/** Which run of which container a log is of: validation as in kube-apiserver and kubelet, texts included. */
import type { ContainerStatus, Pod } from '@/lib/kube/kinds'
import { findCondition } from '@/lib/kube/conditions'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { badRequest } from '../failures'

/** Run of a container, derived from the status of its pod. Times of a status have whole seconds. */
export interface ContainerRun {
  /** Of the pod: what its log is derived from. */
  uid: string
  container: string
  image: string
  restarts: number
  node: string
  address: string
  ports: readonly number[]
  /** It is meant to end by itself, as those of Jobs. */
  completes: boolean
  startedAt: EpochMs
  /** When the readiness last changed, and to what; absent while it is as at the start. */
  readiness?: { ready: boolean; since: EpochMs }
  /** Time of the deletion request. */
  stopAskedAt?: EpochMs
  finished?: { at: EpochMs; exitCode: number }
}

/** The name of the container that is meant. Throws 400 if that is not clear, or if there is no such container. */
export function chosenContainer({ metadata: { name }, spec }: Pod, asked: string): string {
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

/** The run that a log is of: the present one, or the one before. Throws 400 if it has not begun. */
export function runOf(pod: Pod, container: string, previous: boolean): ContainerRun {
  const { name } = pod.metadata
  const known = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])]
  const status = known.find((one) => one.name === container)
  if (previous) return previousRun(pod, container, status)
  const startedAt = status?.state?.running?.startedAt ?? status?.state?.terminated?.startedAt
  const ended = status?.state?.terminated
  const begun = startedAt ?? ended?.finishedAt
  if (!status || begun === undefined) {
    const reason = status?.state?.waiting?.reason ?? 'ContainerCreating'
    throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ${waitingText(reason)}`)
  }
  return { ...factsOf(pod, status), startedAt: parseTime(begun), ...(ended ? endOf(ended) : lifeOf(pod, begun)) }
}

/** In the words of kubelet's `validateContainerLogStatus`. */
function waitingText(reason: string): string {
  if (reason === 'ErrImagePull') return "image can't be pulled"
  return reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : reason
}

function previousRun(pod: Pod, container: string, status: ContainerStatus | undefined): ContainerRun {
  const ended = status?.lastState?.terminated
  const begun = ended?.startedAt ?? ended?.finishedAt
  if (!status || !ended || begun === undefined) {
    throw badRequest(`previous terminated container "${container}" in pod "${pod.metadata.name}" not found`)
  }
  const facts = factsOf(pod, status)
  return { ...facts, restarts: Math.max(0, facts.restarts - 1), startedAt: parseTime(begun), ...endOf(ended) }
}

function factsOf({ metadata, spec, status }: Pod, { name, image, restartCount }: ContainerStatus) {
  const ports = spec.containers.find((one) => one.name === name)?.ports ?? []
  return {
    uid: metadata.uid,
    container: name,
    image: image.replaceAll(/\s/g, ' '),
    completes: spec.restartPolicy === 'Never' || spec.restartPolicy === 'OnFailure',
    restarts: restartCount,
    node: spec.nodeName ?? '',
    address: status?.podIP ?? '',
    ports: ports.map(({ containerPort }) => containerPort),
  }
}

type Ended = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>

const endOf = ({ finishedAt, startedAt, exitCode }: Ended): Pick<ContainerRun, 'finished'> => ({
  finished: { at: parseTime(finishedAt ?? startedAt ?? ''), exitCode },
})

function lifeOf({ metadata, status }: Pod, startedAt: string): Pick<ContainerRun, 'readiness' | 'stopAskedAt'> {
  const condition = findCondition(status?.conditions, 'Ready')
  const since = condition?.lastTransitionTime
  const changed = condition && since !== undefined && (condition.status !== 'True' || since > startedAt)
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata
  return {
    ...(changed && { readiness: { ready: condition.status === 'True', since: parseTime(since) } }),
    ...(deletionTimestamp !== undefined && {
      stopAskedAt: parseTime(deletionTimestamp) - deletionGracePeriodSeconds * 1000,
    }),
  }
}
