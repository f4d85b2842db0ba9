import type { Clock } from '@/lib/std/clock'
import type { Access } from './access/access'
import type { Admission } from './admission/admission'
import type { Call } from './call'
import type { Keyspace } from './registry/keyspace'
import type { Resource } from './registry/resource'
import type { Target } from './route'
import type { Store } from './store/store'
import type { WatchHub } from './watch/hub'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type Log = (level: LogLevel, fields: Record<string, unknown>, message: string) => void

/** Dependencies of every verb, time and randomness included. */
export interface Api {
  store: Store
  hub: WatchHub
  access: Access
  admission: Admission
  clock: Clock
  uid: () => string
  random: () => number
  log: Log
  /** Disables rules that Karmada does not have. */
  upstream: boolean
  onSpecChange?: ((change: SpecChange) => void) | undefined
}

/** A new generation of an object of the control plane, and the user who wrote it. */
export interface SpecChange {
  apiVersion: string
  kind: string
  namespace?: string | undefined
  name: string
  user: string
}

/** One kind in one key space. */
export interface Scope {
  api: Api
  keyspace: Keyspace
  resource: Resource
}

/** A request that has found its way to a verb. */
export interface Ask extends Scope {
  target: Target
  call: Call
}
