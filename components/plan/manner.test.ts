import { describe, expect, it, test } from 'vitest'
import { mannerSchema } from '@/lib/view/actions'
import { CALM, READY_SHARES, readManner, PAUSES, WAVE_SIZES, writeManner } from './manner'

describe('the manner of a plan in the address', () => {
  it.each([undefined, '', 'nonsense', '7%,-1,12', ',,,'])('%j is the calm manner', (text) =>
    expect(readManner(text)).toEqual(CALM),
  )

  it('reads back whatever may be chosen, and the server takes it', () => {
    for (const { value: size } of WAVE_SIZES)
      for (const { value: minReady } of READY_SHARES)
        for (const { value: rest } of PAUSES) {
          for (const flags of [
            [true, 'Hold', false],
            [false, 'Continue', true],
          ] as const) {
            const manner = {
              waveSize: size.endsWith('%') ? size : Number(size),
              minReady,
              soakSeconds: Number(rest),
              makeBeforeBreak: flags[0],
              onRegression: flags[1],
              allowFewerReplicas: flags[2],
            }
            expect(readManner(writeManner(manner))).toEqual(manner)
            expect(mannerSchema.parse(manner)).toEqual(manner)
          }
        }
  })

  test('is short where all is as usual', () => expect(writeManner(CALM)).toBe('10%,100%,0'))
})
