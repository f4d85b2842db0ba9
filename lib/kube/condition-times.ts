/** Unset times of conditions: a server with typed objects writes them as null. */
import { ownField } from '@/lib/std/fields'
import type { Kind } from './kind'
import type { UnknownObject } from './object'

const CHANGED = ['lastTransitionTime']
const PROBED = ['lastProbeTime', 'lastTransitionTime']

/** By the kind of the object, as far as its conditions are older than `metav1.Condition`. */
const TIMES: Readonly<Record<string, readonly string[]>> = {
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

/** The object with null for each such time that its conditions lack. */
export function withConditionTimes(kind: Kind, object: UnknownObject): UnknownObject {
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
