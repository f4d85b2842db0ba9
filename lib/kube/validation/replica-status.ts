/** The counts in the status of workloads: none is negative, and a part is not more than the whole. */
import { type FieldError, invalidField } from '../field-error'
import type { UnknownObject } from '../object'

interface Counts {
  /** In the order in which they are judged. */
  counts: readonly string[]
  /** Not more than `replicas`. */
  parts?: readonly string[]
  /** What available replicas are compared with, as the refusal calls it. */
  ready?: string
  /** Its count of collisions only grows. */
  collides?: true
}

const REPLICA_SET: Counts = {
  counts: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
  parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ready: 'readyReplicas',
}

const KINDS = {
  Deployment: {
    counts: [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ],
    parts: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    ready: 'readyReplicas',
    collides: true,
  },
  ReplicaSet: { ...REPLICA_SET, counts: [...REPLICA_SET.counts, 'terminatingReplicas'] },
  ReplicationController: REPLICA_SET,
  StatefulSet: {
    counts: [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ],
    parts: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    ready: 'status.readyReplicas',
    collides: true,
  },
  DaemonSet: {
    counts: [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ],
    collides: true,
  },
} as const satisfies Record<string, Counts>

type Status = Readonly<Record<string, unknown>>

/** Validates the status of a kind on its update. */
export function validateReplicaStatus(kind: keyof typeof KINDS) {
  const { counts, parts = [], ready, collides }: Counts = KINDS[kind]
  return (next: UnknownObject, old: UnknownObject): FieldError[] => {
    const status = (next.status ?? {}) as Status
    const count = (name: string): number => (typeof status[name] === 'number' ? status[name] : 0)
    const more = (name: string, whole: string): FieldError =>
      invalidField(`status.${name}`, count(name), `cannot be greater than ${whole}`)
    const findings = [
      ...counts
        .filter((name) => count(name) < 0)
        .map((name) => invalidField(`status.${name}`, count(name), 'must be greater than or equal to 0')),
      ...parts.filter((name) => count(name) > count('replicas')).map((name) => more(name, 'status.replicas')),
      ...(ready !== undefined && count('availableReplicas') > count('readyReplicas')
        ? [more('availableReplicas', ready)]
        : []),
    ]
    const before = (old.status as Status | undefined)?.['collisionCount']
    const fewer =
      collides
      && typeof before === 'number'
      && (status['collisionCount'] === undefined || count('collisionCount') < before)
    return fewer
      ? [...findings, invalidField('status.collisionCount', count('collisionCount'), 'cannot be decremented')]
      : findings
  }
}
