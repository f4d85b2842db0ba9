/** An object as its author knows it: without `status` and `managedFields`. The version stays: it guards a later write. */
export function withoutNoise(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object
  const { status: _status, metadata, ...rest } = object as { status?: unknown; metadata?: Record<string, unknown> }
  if (metadata === undefined) return rest
  const { managedFields: _managed, ...kept } = metadata
  const { apiVersion, kind, ...others } = rest as Record<string, unknown>
  return { apiVersion, kind, metadata: kept, ...others }
}
