/** The statuses of a pod, as kube-scheduler and kubelet write them. */
import { findCondition } from '@/lib/kube/conditions'
import type { Container, Pod, WorkloadCondition } from '@/lib/kube/kinds'
import { isImageMissing } from '@/lib/kube/simulation'
import { fnv1a32 } from '@/lib/std/fnv'
import { formatTime, type EpochMs } from '@/lib/std/clock'

type PodStatus = NonNullable<Pod['status']>

/** No node fits. */
export function unschedulableStatus(pod: Pod, message: string, now: EpochMs): PodStatus {
  return {
    phase: 'Pending',
    conditions: conditions(pod, [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }], now),
  }
}

/** The containers have ended, all successfully or all with an error. */
export function endedStatus(pod: Pod, succeeded: boolean, now: EpochMs): PodStatus {
  const running = runningStatus(pod, false, now)
  const phase = succeeded ? 'Succeeded' : 'Failed'
  const reason = succeeded ? 'PodCompleted' : 'PodFailed'
  const finishedAt = formatTime(now)
  const { startTime: startedAt = finishedAt } = running
  const terminated = { exitCode: succeeded ? 0 : 1, reason: succeeded ? 'Completed' : 'Error', startedAt, finishedAt }
  return {
    ...running,
    phase,
    conditions: conditions(
      pod,
      [
        { type: 'PodReadyToStartContainers', status: 'False' },
        { type: 'Initialized', status: 'True', ...(succeeded && { reason }) },
        { type: 'Ready', status: 'False', reason },
        { type: 'ContainersReady', status: 'False', reason },
        { type: 'PodScheduled', status: 'True' },
      ],
      now,
    ),
    containerStatuses: (running.containerStatuses ?? []).map((status) => ({
      ...status,
      ready: false,
      started: false,
      state: { terminated },
    })),
  }
}

/** Returns the status of a pod whose containers wait for an image that does not exist. */
export function waitingStatus(pod: Pod, now: EpochMs): PodStatus {
  const { startTime: startedAt, containerStatuses = [], ...running } = runningStatus(pod, false, now)
  return {
    ...running,
    phase: 'Pending',
    ...(startedAt !== undefined && { startTime: startedAt }),
    containerStatuses: containerStatuses.map((status) =>
      isImageMissing(status.image ?? '')
        ? {
            ...status,
            imageID: '',
            started: false,
            state: {
              // upstream: kubelet
              waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${status.image}"` },
            },
          }
        : status,
    ),
  }
}

/** The containers run; `ready` is their readiness. */
export function runningStatus(pod: Pod, ready: boolean, now: EpochMs): PodStatus {
  const startedAt = pod.status?.startTime ?? formatTime(now)
  const ip = addressOf(pod)
  const names = (pod.spec.containers ?? []).map(({ name }) => name).join(' ')
  const unready = ready ? {} : { reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` }
  const status = ready ? 'True' : 'False'
  return {
    phase: 'Running',
    startTime: startedAt,
    podIP: ip,
    podIPs: [{ ip }],
    conditions: conditions(
      pod,
      [
        { type: 'PodReadyToStartContainers', status: 'True' },
        { type: 'Initialized', status: 'True' },
        { type: 'Ready', status, ...unready },
        { type: 'ContainersReady', status, ...unready },
        { type: 'PodScheduled', status: 'True' },
      ],
      now,
    ),
    containerStatuses: (pod.spec.containers ?? []).map((container) => containerStatus(container, ready, startedAt)),
  }
}

function containerStatus({ name, image = '' }: Container, ready: boolean, startedAt: string) {
  return { name, image, imageID: image, ready, started: true, restartCount: 0, state: { running: { startedAt } } }
}

/** `lastTransitionTime` changes only with the status; other fields of the previous condition are dropped. */
function conditions(pod: Pod, wanted: readonly WorkloadCondition[], now: EpochMs): WorkloadCondition[] {
  return wanted.map((condition) => {
    const old = findCondition(pod.status?.conditions, condition.type)
    const since = old?.status === condition.status ? old.lastTransitionTime : undefined
    return { ...condition, lastTransitionTime: since ?? formatTime(now) }
  })
}

/** A stable address from 10.0.0.0/8 for the life of the pod. */
function addressOf({ metadata }: Pod): string {
  const bits = fnv1a32(metadata.uid)
  return `10.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${(bits % 254) + 1}`
}
