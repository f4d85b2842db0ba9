import { defineKind, type ObjectOf } from '../kind'
import { boolean, object, string } from '../schema'
import { atomicList, keyedList } from './lists'

/** The identity under which pods and controllers act. */
export const serviceAccount = defineKind({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object({
    automountServiceAccountToken: boolean(),
    imagePullSecrets: atomicList(object({ name: string({ default: '' }) })),
    secrets: keyedList(
      object({
        apiVersion: string(),
        fieldPath: string(),
        kind: string(),
        name: string(),
        namespace: string(),
        resourceVersion: string(),
        uid: string(),
      }),
      'name',
    ),
  }),
})

export type ServiceAccount = ObjectOf<typeof serviceAccount>
