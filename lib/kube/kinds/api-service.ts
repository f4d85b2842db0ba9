import { defineKind, type ObjectOf } from '../kind'
import { boolean, type Infer, int32, object, string, time } from '../schema'
import { keyedList } from './lists'

const condition = object(
  { lastTransitionTime: time(), message: string(), reason: string(), status: string(), type: string() },
  { required: ['type', 'status'] },
)

/** A version of a group: served here, or by another API server behind a Service. */
export const apiService = defineKind({
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  categories: ['api-extensions'],
  scope: 'Cluster',
  origin: 'builtin',
  subresources: { status: true },
  fields: object({
    spec: object(
      {
        caBundle: string({ format: 'byte' }),
        group: string(),
        groupPriorityMinimum: int32(),
        insecureSkipTLSVerify: boolean(),
        service: object({ name: string(), namespace: string(), port: int32() }),
        version: string(),
        versionPriority: int32(),
      },
      { required: ['groupPriorityMinimum', 'versionPriority'] },
    ),
    status: object({ conditions: keyedList(condition, 'type') }),
  }),
})

export type ApiService = ObjectOf<typeof apiService>
export type ApiServiceCondition = Infer<typeof condition>
