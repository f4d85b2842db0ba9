/** Values that the controllers of one simulated member share. */
import type { Clock, Stop } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import type { EventRecorder } from '@/server/kube/events'
import type { Informers } from '@/server/kube/informer'
import type { Expectations } from './expectations'
import type { NodeLedger } from './scheduling/node-ledger'
import type { MemberSettings } from './settings'

export interface MemberContext {
  /** The name of the Cluster. */
  name: string
  /** The member's own API. */
  client: KubeClient
  informers: Informers
  /** Written into the member. */
  events: EventRecorder
  clock: Clock
  settings(): MemberSettings
  /** Called after the settings changed. */
  onSettings(handler: (before: MemberSettings) => void): Stop
  /** True if webhooks change pods at creation, so that the node can be chosen only afterwards. */
  changesPods(namespace: string): boolean
  ledger: NodeLedger
  expectations: Expectations
}

/** How long changes of pods are collected before the counts of their owners are written. */
export const GATHER_MS = 50
