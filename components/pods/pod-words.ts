/** Texts for the square of a pod. */
import type { PodMark } from '@/lib/view/member-model'
import type { State } from '@/lib/view/model'

const STATES: Record<PodMark, State> = {
  ready: 'ok',
  starting: 'active',
  notReady: 'warn',
  failed: 'fail',
  leaving: 'held',
  completed: 'ok',
}

export const stateOfMark = (mark: PodMark): State => STATES[mark]

/** The value of an address parameter that opens a pod: `pod/CLUSTER/NAMESPACE/NAME`. */
export const podAddress = (cluster: string, { namespace, name }: { namespace: string; name: string }): string =>
  `pod/${cluster}/${namespace}/${name}`
