import type { Registry } from './registry'

/** A key space with the kinds that are served in it: the control plane, or a member cluster. */
export interface Realm {
  /** Empty for the control plane, else the member's name. */
  name: string
  registry: Registry
}
