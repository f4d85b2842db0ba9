/** The object that a key of a controller stands for, as kubectl names it. */
import type { ObjectKey } from '@/lib/kube/object'

export interface KeyedObject {
  /** Absent where all keys of the controller are of one kind. */
  kind?: string
  /** `namespace/name`, or `name`. */
  key: ObjectKey
}

/** Of the detector: `template:<apiVersion>:<kind>:<key>` and `policy:<kind>:<key>`. Of bindings: `<kind>/<key>`. */
const FORMS = [/^template:[^:]*:([^:]*):(.*)$/s, /^policy:([^:]*):(.*)$/s, /^((?:Cluster)?ResourceBinding)\/(.*)$/s]

/** Controllers that reconcile several kinds put the kind before the key. */
export function objectOfKey(key: ObjectKey): KeyedObject {
  for (const form of FORMS) {
    const [, kind, own] = form.exec(key) ?? []
    if (kind !== undefined && own !== undefined) return { kind, key: own }
  }
  return { key }
}
