import type { Manner } from '@/lib/view/actions'

/** What the form of a plan starts with: the calmest way that still moves. */
export const CALM: Manner = {
  waveSize: '10%',
  soakSeconds: 0,
  minReady: '100%',
  makeBeforeBreak: true,
  onRegression: 'Hold',
  allowFewerReplicas: false,
}

interface Option {
  value: string
  label: string
}

export const WAVE_SIZES: readonly Option[] = [
  { value: '1', label: 'one workload' },
  { value: '10%', label: '10% of those that move' },
  { value: '25%', label: '25% of those that move' },
  { value: '50%', label: '50% of those that move' },
  { value: '100%', label: 'all of them' },
]

export const READY_SHARES: readonly Option[] = [
  { value: '100%', label: 'all that were ready' },
  { value: '75%', label: '75% of the replicas' },
  { value: '50%', label: '50% of the replicas' },
  { value: '0%', label: 'no matter how many' },
]

export const RESTS: readonly Option[] = [
  { value: '0', label: 'none' },
  { value: '30', label: '30 seconds' },
  { value: '300', label: '5 minutes' },
]

/** The address keeps the manner as `in=10%,75%,30,quick,go,fewer`; parts that are as usual are left out. */
export function writeManner(manner: Manner): string {
  const parts = [String(manner.waveSize), String(manner.minReady), String(manner.soakSeconds)]
  if (!manner.makeBeforeBreak) parts.push('quick')
  if (manner.onRegression === 'Continue') parts.push('go')
  if (manner.allowFewerReplicas) parts.push('fewer')
  return parts.join(',')
}

/** Reads what `writeManner` wrote; anything that is none of the offered options is as usual. */
export function readManner(text: string | undefined): Manner {
  const [size = '', ready = '', rest = '', ...flags] = (text ?? '').split(',')
  const pick = (options: readonly Option[], value: string, usual: string): string =>
    options.some((option) => option.value === value) ? value : usual
  const waveSize = pick(WAVE_SIZES, size, String(CALM.waveSize))
  return {
    waveSize: waveSize.endsWith('%') ? waveSize : Number(waveSize),
    minReady: pick(READY_SHARES, ready, String(CALM.minReady)),
    soakSeconds: Number(pick(RESTS, rest, String(CALM.soakSeconds))),
    makeBeforeBreak: !flags.includes('quick'),
    onRegression: flags.includes('go') ? 'Continue' : 'Hold',
    allowFewerReplicas: flags.includes('fewer'),
  }
}
