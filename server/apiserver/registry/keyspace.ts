import type { Registry } from './registry'

/** A keyspace with the kinds that are served in it: the control plane, or a member cluster. */
export interface Keyspace {
  /** Empty for the control plane, else the member's name. */
  name: string
  registry: Registry
}
