import { defineKind, type ObjectOf } from '../kind'
import { boolean, map, object, string } from '../schema'

/** Configuration as texts. */
export const configMap = defineKind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object({ binaryData: map(string({ format: 'byte' })), data: map(string()), immutable: boolean() }),
})

export type ConfigMap = ObjectOf<typeof configMap>
