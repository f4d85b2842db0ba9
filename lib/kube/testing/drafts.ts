/** Objects for tests of strategies, and the context in which they are written. */
import type { Kind } from '../kind'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

export const context = { namespace: 'ns', now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }

/** A write of the status. */
export const atStatus = { part: 'status', now: context.now } as const

/** An object of a kind as a client would send it. */
export function draft(kind: Kind, fields: object, metadata: object = {}): UnknownObject {
  return {
    apiVersion: kind.group ? `${kind.group}/${kind.version}` : kind.version,
    kind: kind.kind,
    metadata: { name: 'web', namespace: 'ns', ...metadata },
    ...fields,
  } as UnknownObject
}

/** The same as it is stored when it is created. */
export const create = (kind: Kind, fields: object, metadata?: object) =>
  strategyOf(kind).create(draft(kind, fields, metadata), context)

/** A pod template, and the fields of a Deployment of it. */
export const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'nginx:1.25' }] },
}
export const web = { spec: { selector: { matchLabels: { app: 'web' } }, template } }
