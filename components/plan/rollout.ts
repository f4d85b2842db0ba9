import { type Message, message } from '@/lib/messages/message'
import type { Rollout } from '@/lib/view/actions'

/** The defaults of the form: the safest way that still moves workloads. */
export const DEFAULT_ROLLOUT: Rollout = {
  waveSize: '10%',
  soakSeconds: 0,
  minReady: '100%',
  makeBeforeBreak: true,
  onRegression: 'Hold',
  allowFewerReplicas: false,
}

export interface RolloutOption {
  value: string
  label: Message
}

export const WAVE_SIZES: readonly RolloutOption[] = [
  { value: '1', label: message('plan.waveSize.one') },
  { value: '10%', label: message('plan.waveSize.share', { share: '10%' }) },
  { value: '25%', label: message('plan.waveSize.share', { share: '25%' }) },
  { value: '50%', label: message('plan.waveSize.share', { share: '50%' }) },
  { value: '100%', label: message('plan.waveSize.all') },
]

export const READY_SHARES: readonly RolloutOption[] = [
  { value: '100%', label: message('plan.minReady.all') },
  { value: '75%', label: message('plan.minReady.share', { share: '75%' }) },
  { value: '50%', label: message('plan.minReady.share', { share: '50%' }) },
  { value: '0%', label: message('plan.minReady.none') },
]

export const PAUSES: readonly RolloutOption[] = [
  { value: '0', label: message('plan.pause.none') },
  { value: '30', label: message('plan.pause.span', { span: { ms: 30_000 } }) },
  { value: '300', label: message('plan.pause.span', { span: { ms: 300_000 } }) },
]

/** Writes the rollout for the address: `in=10%,75%,30,quick,go,fewer`; flags at their defaults are left out. */
export function writeRollout(rollout: Rollout): string {
  const parts = [String(rollout.waveSize), String(rollout.minReady), String(rollout.soakSeconds)]
  if (!rollout.makeBeforeBreak) parts.push('quick')
  if (rollout.onRegression === 'Continue') parts.push('go')
  if (rollout.allowFewerReplicas) parts.push('fewer')
  return parts.join(',')
}

/** Reads what `writeRollout` wrote; any value that is not one of the options becomes the default. */
export function readRollout(text: string | undefined): Rollout {
  const [size = '', ready = '', rest = '', ...flags] = (text ?? '').split(',')
  const pick = (options: readonly RolloutOption[], value: string, usual: string): string =>
    options.some((option) => option.value === value) ? value : usual
  const waveSize = pick(WAVE_SIZES, size, String(DEFAULT_ROLLOUT.waveSize))
  return {
    waveSize: waveSize.endsWith('%') ? waveSize : Number(waveSize),
    minReady: pick(READY_SHARES, ready, String(DEFAULT_ROLLOUT.minReady)),
    soakSeconds: Number(pick(PAUSES, rest, String(DEFAULT_ROLLOUT.soakSeconds))),
    makeBeforeBreak: !flags.includes('quick'),
    onRegression: flags.includes('go') ? 'Continue' : 'Hold',
    allowFewerReplicas: flags.includes('fewer'),
  }
}
