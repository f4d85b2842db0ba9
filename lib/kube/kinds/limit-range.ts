import { defineKind, type ObjectOf } from '../kind'
import { map, object, quantity, string } from '../schema'
import { atomicList } from './lists'

/** Limits and defaults of pods, containers and claims of a namespace. */
export const limitRange = defineKind({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  shortNames: ['limits'],
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object(
    {
      spec: object(
        {
          limits: atomicList(
            object(
              {
                default: map(quantity()),
                defaultRequest: map(quantity()),
                max: map(quantity()),
                maxLimitRequestRatio: map(quantity()),
                min: map(quantity()),
                type: string(),
              },
              { required: ['type'] },
            ),
          ),
        },
        { required: ['limits'] },
      ),
    },
    { required: ['spec'] },
  ),
})

export type LimitRange = ObjectOf<typeof limitRange>
