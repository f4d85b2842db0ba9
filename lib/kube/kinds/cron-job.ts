import { defineKind, type ObjectOf } from '../kind'
import { objectMeta } from '../object-meta'
import { boolean, int32, int64, object, oneOf, string, time } from '../schema'
import { atomicList } from './lists'
import { jobSpec } from './job'
import { objectReference } from './object-reference'

/** Makes a Job at every time that its schedule names. */
export const cronJob = defineKind({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  scope: 'Namespaced',
  origin: 'builtin',
  subresources: { status: true },
  fields: object(
    {
      spec: object(
        {
          concurrencyPolicy: oneOf(['Allow', 'Forbid', 'Replace']),
          failedJobsHistoryLimit: int32(),
          jobTemplate: object({ metadata: objectMeta, spec: jobSpec }),
          schedule: string(),
          startingDeadlineSeconds: int64(),
          successfulJobsHistoryLimit: int32(),
          suspend: boolean(),
          timeZone: string(),
        },
        { required: ['schedule', 'jobTemplate'] },
      ),
      status: object({ active: atomicList(objectReference), lastScheduleTime: time(), lastSuccessfulTime: time() }),
    },
    { required: ['spec'] },
  ),
})

export type CronJob = ObjectOf<typeof cronJob>
