import { describe, expect, it, test } from 'vitest'
import { rolloutSchema } from '@/lib/view/actions'
import { DEFAULT_ROLLOUT, READY_SHARES, readRollout, PAUSES, WAVE_SIZES, writeRollout } from './rollout'

describe('the rollout of a plan in the address', () => {
  it.each([undefined, '', 'nonsense', '7%,-1,12', ',,,'])('%j is the default rollout', (text) =>
    expect(readRollout(text)).toEqual(DEFAULT_ROLLOUT),
  )

  it('reads back whatever may be chosen, and the server takes it', () => {
    for (const { value: size } of WAVE_SIZES)
      for (const { value: minReady } of READY_SHARES)
        for (const { value: rest } of PAUSES) {
          for (const flags of [
            [true, 'Hold', false],
            [false, 'Continue', true],
          ] as const) {
            const rollout = {
              waveSize: size.endsWith('%') ? size : Number(size),
              minReady,
              soakSeconds: Number(rest),
              makeBeforeBreak: flags[0],
              onRegression: flags[1],
              allowFewerReplicas: flags[2],
            }
            expect(readRollout(writeRollout(rollout))).toEqual(rollout)
            expect(rolloutSchema.parse(rollout)).toEqual(rollout)
          }
        }
  })

  test('is short where all is as usual', () => expect(writeRollout(DEFAULT_ROLLOUT)).toBe('10%,100%,0'))
})
