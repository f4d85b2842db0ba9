import { defineKind, type ObjectOf } from '../kind'
import { int32, int64, intOrString, object, oneOf } from '../schema'
import { podMakerFields } from './pod-template'
import { workloadConditions } from './workload-status'

/** One replica on every node that fits. */
export const daemonSet = defineKind({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object(
        {
          ...podMakerFields,
          revisionHistoryLimit: int32(),
          updateStrategy: object({
            rollingUpdate: object({ maxSurge: intOrString(), maxUnavailable: intOrString() }),
            type: oneOf(['OnDelete', 'RollingUpdate']),
          }),
        },
        { required: ['selector', 'template'] },
      ),
      status: object({
        collisionCount: int32(),
        conditions: workloadConditions,
        currentNumberScheduled: int32(),
        desiredNumberScheduled: int32(),
        numberAvailable: int32(),
        numberMisscheduled: int32(),
        numberReady: int32(),
        numberUnavailable: int32(),
        observedGeneration: int64(),
        updatedNumberScheduled: int32(),
      }),
    },
    { required: ['spec'] },
  ),
})

export type DaemonSet = ObjectOf<typeof daemonSet>
