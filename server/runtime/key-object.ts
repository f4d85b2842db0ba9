/** Identifies the object of a controller's key by kind and name. */
import type { ObjectKey } from '@/lib/kube/object'

export interface KeyedObject {
  /** Absent if all keys of the controller have the same kind. */
  kind?: string
  /** `namespace/name`, or `name`. */
  key: ObjectKey
}

/**
 * Keys of the detector: `template:<apiVersion>:<kind>:<key>` and `policy:<kind>:<key>`. Keys of bindings:
 * `<kind>/<key>`.
 */
const FORMS = [/^template:[^:]*:([^:]*):(.*)$/s, /^policy:([^:]*):(.*)$/s, /^((?:Cluster)?ResourceBinding)\/(.*)$/s]

/** Parses a key. Controllers that reconcile several kinds put the kind before the key. */
export function objectOfKey(key: ObjectKey): KeyedObject {
  for (const form of FORMS) {
    const [, kind, own] = form.exec(key) ?? []
    if (kind !== undefined && own !== undefined) return { kind, key: own }
  }
  return { key }
}
