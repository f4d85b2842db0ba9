/** Schema of a snapshot of the live protocol, for the HTTP API and its document. See `SnapshotMessage`. */
import { z } from 'zod'
import { count } from './fleet'

export const snapshotSchema = z
  .strictObject({
    type: z.literal('snapshot'),
    topic: z.string(),
    epoch: z.string(),
    revision: count,
    entities: z.array(z.looseObject({ id: z.string() })),
  })
  .meta({ id: 'Snapshot' })
