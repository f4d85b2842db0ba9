import { defineKind, type ObjectOf } from '../kind'
import { boolean, map, object, string } from '../schema'

/** Confidential data; values are base64. */
export const secret = defineKind({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object({
    data: map(string({ format: 'byte' })),
    immutable: boolean(),
    stringData: map(string()),
    type: string(),
  }),
})

export type Secret = ObjectOf<typeof secret>
