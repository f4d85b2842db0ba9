import { defineKind, type ObjectOf } from '../kind'
import { int32, object, string, time } from '../schema'
import { objectReference } from './object-reference'

const microTime = string({ format: 'date-time' })

/** An event about an object, stored for a limited time. */
export const event = defineKind({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  scope: 'Namespaced',
  origin: 'builtin',
  fields: object(
    {
      action: string(),
      count: int32(),
      eventTime: microTime,
      firstTimestamp: time(),
      involvedObject: objectReference,
      lastTimestamp: time(),
      message: string(),
      reason: string(),
      related: objectReference,
      reportingComponent: string(),
      reportingInstance: string(),
      series: object({ count: int32(), lastObservedTime: microTime }),
      source: object({ component: string(), host: string() }),
      type: string(),
    },
    { required: ['involvedObject'] },
  ),
})

export type Event = ObjectOf<typeof event>
