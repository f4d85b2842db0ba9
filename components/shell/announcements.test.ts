import { describe, expect, it } from 'vitest'
import { Announcements, QUIET_MS } from './announcements'

function start() {
  const said: string[] = []
  let pending: (() => void) | undefined
  const clock = {
    now: () => 0,
    elapsed: () => 0,
    after: (delayMs: number, callback: () => void) => {
      expect(delayMs).toBe(QUIET_MS)
      pending = callback
      return () => undefined
    },
  }
  const { announce } = new Announcements(clock, (text) => said.push(text))
  return { said, announce, afterQuiet: () => pending?.() }
}

describe('announcements', () => {
  it('says the first sentence at once', () => {
    const { said, announce } = start()
    announce('Applied.')
    expect(said).toEqual(['Applied.'])
  })

  it('announces pending sentences together, each once', () => {
    const { said, announce, afterQuiet } = start()
    for (const sentence of ['A.', 'B.', 'C.', 'B.']) announce(sentence)
    expect(said).toEqual(['A.'])
    afterQuiet()
    expect(said).toEqual(['A.', 'C. B.'])
  })

  it('is ready again after a pause without sentences', () => {
    const { said, announce, afterQuiet } = start()
    announce('A.')
    afterQuiet()
    announce('B.')
    expect(said).toEqual(['A.', 'B.'])
  })
})
