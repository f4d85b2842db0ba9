import { defineKind, type ObjectOf } from '../kind'
import { boolean, object } from '../schema'
import { atomicList, keyedList } from './lists'
import { localObjectReference, objectReference } from './object-reference'

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
    imagePullSecrets: atomicList(localObjectReference),
    secrets: keyedList(objectReference, 'name'),
  }),
})

export type ServiceAccount = ObjectOf<typeof serviceAccount>
