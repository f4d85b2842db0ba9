/** Unset times of conditions and of containers: a server with typed objects writes them as null. */
import { ownField } from '@/lib/std/fields'
import type { Kind } from './kind'
import type { UnknownObject } from './object'

const CHANGED = ['lastTransitionTime']
const PROBED = ['lastProbeTime', 'lastTransitionTime']

/** By the kind of the object, as far as its conditions are older than `metav1.Condition`. */
const TIMES: Readonly<Record<string, readonly string[]>> = {
  APIService: CHANGED,
  CustomResourceDefinition: CHANGED,
  DaemonSet: CHANGED,
  Deployment: ['lastTransitionTime', 'lastUpdateTime'],
  HorizontalPodAutoscaler: CHANGED,
  Job: PROBED,
  Namespace: CHANGED,
  Node: ['lastHeartbeatTime', 'lastTransitionTime'],
  PersistentVolumeClaim: PROBED,
  Pod: PROBED,
  ReplicaSet: CHANGED,
  ReplicationController: CHANGED,
  StatefulSet: CHANGED,
}

type Condition = Readonly<Record<string, unknown>>

/** The object with null for each such time that it lacks. */
export function withUnsetTimes(kind: Kind, object: UnknownObject): UnknownObject {
  const timed = withConditionTimes(kind, object)
  return kind.origin === 'builtin' && kind.kind === 'Pod' ? withContainerTimes(timed) : timed
}

function withConditionTimes(kind: Kind, object: UnknownObject): UnknownObject {
  const times = kind.origin === 'builtin' ? ownField(TIMES, kind.kind) : undefined
  const { conditions } = (object.status ?? {}) as { conditions?: readonly Condition[] }
  const lacks = (condition: Condition): boolean => times!.some((time) => !Object.hasOwn(condition, time))
  if (!times || !Array.isArray(conditions) || !conditions.some(lacks)) return object
  const zeros = Object.fromEntries(times.map((time) => [time, null]))
  return {
    ...object,
    status: { ...(object.status as object), conditions: conditions.map((condition) => ({ ...zeros, ...condition })) },
  }
}

const LISTS = ['containerStatuses', 'ephemeralContainerStatuses', 'initContainerStatuses'] as const

type State = Readonly<Partial<Record<'running' | 'terminated', object>>>
type ContainerTimes = Readonly<Partial<Record<'state' | 'lastState', State>>>
type Statuses = Readonly<Partial<Record<(typeof LISTS)[number], readonly ContainerTimes[]>>>

function withContainerTimes(object: UnknownObject): UnknownObject {
  const status = (object.status ?? {}) as Statuses
  const lacking = LISTS.filter((list) => status[list]?.some(({ state, lastState }) => lacks(state) || lacks(lastState)))
  if (lacking.length === 0) return object
  const lists = lacking.map((list) => [list, status[list]!.map(timed)])
  return { ...object, status: { ...status, ...(Object.fromEntries(lists) as object) } }
}

function lacks({ running, terminated }: State = {}): boolean {
  if (running && !Object.hasOwn(running, 'startedAt')) return true
  return terminated !== undefined && !['startedAt', 'finishedAt'].every((time) => Object.hasOwn(terminated, time))
}

function timed({ state, lastState, ...rest }: ContainerTimes): ContainerTimes {
  return { ...rest, ...(state && { state: timedState(state) }), ...(lastState && { lastState: timedState(lastState) }) }
}

function timedState({ running, terminated, ...rest }: State): State {
  return {
    ...rest,
    ...(running && { running: { startedAt: null, ...running } }),
    ...(terminated && { terminated: { startedAt: null, finishedAt: null, ...terminated } }),
  }
}
