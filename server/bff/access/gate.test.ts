import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Gate, type Urgency } from './gate'

/** Calls that end when the test says so. */
function openGate(limits = { most: 4, perUser: 2, calm: 3 }) {
  const gate = new Gate(limits)
  const running: { user: string; urgency: Urgency; end: () => void }[] = []
  const begun: string[] = []
  const pass = (user: string, urgency: Urgency = 'urgent') => gate.pass({ user, urgency }, () => new Promise<void>((resolve) => {
    begun.push(user)
    const own = { user, urgency, end: () => {
      running.splice(running.indexOf(own), 1)
      resolve()
    } }
    running.push(own)
  }))
  const settle = () => new Promise((resolve) => { setImmediate(resolve) })
  return { gate, pass, running, begun, settle }
}

describe('the gate of the reviews', () => {
  test('lets users through in turns: who asks once does not wait for who asks a thousand times', async () => {
    const { pass, running, begun, settle } = openGate({ most: 2, perUser: 2, calm: 2 })
    for (let at = 0; at < 1000; at++) void pass('greedy', 'calm')
    void pass('modest', 'calm')
    await settle()
    running[0]?.end()
    await settle()
    running[0]?.end()
    await settle()
    expect(begun.slice(0, 4)).toContain('modest')
  })

  test('lets what somebody waits for through before what nobody waits for', async () => {
    const { pass, running, begun, settle } = openGate({ most: 1, perUser: 1, calm: 1 })
    void pass('first')
    void pass('background', 'calm')
    void pass('clicked')
    await settle()
    running[0]?.end()
    await settle()
    expect(begun).toEqual(['first', 'clicked'])
  })

  test('keeps a place for what is urgent while everything calm hangs', async () => {
    const { pass, begun, settle } = openGate({ most: 4, perUser: 4, calm: 3 })
    for (let at = 0; at < 10; at++) void pass(`slow-${at}`, 'calm')
    void pass('clicked')
    await settle()
    expect(begun).toEqual(['slow-0', 'slow-1', 'slow-2', 'clicked'])
  })

  test('passes a failure on and frees the place', async () => {
    const { gate } = openGate({ most: 1, perUser: 1, calm: 1 })
    await expect(gate.pass({ user: 'a', urgency: 'urgent' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(gate.pass({ user: 'a', urgency: 'urgent' }, () => Promise.resolve(7))).resolves.toBe(7)
  })

  test('never exceeds a limit, loses nobody, and starves nobody, whoever comes and goes', async () => {
    const limits = { most: 4, perUser: 2, calm: 3 }
    const step = fc.oneof(
      fc.record({ user: fc.constantFrom('a', 'b', 'c'), urgency: fc.constantFrom<Urgency>('urgent', 'calm') }),
      fc.constant('end' as const),
    )
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { pass, running, begun, settle } = openGate(limits)
      const passed: Promise<void>[] = []
      for (const each of steps) {
        if (each === 'end') running[0]?.end()
        else passed.push(pass(each.user, each.urgency))
        await settle()
        expect(running.length).toBeLessThanOrEqual(limits.most)
        expect(running.filter(({ urgency }) => urgency === 'calm').length).toBeLessThanOrEqual(limits.calm)
        for (const user of ['a', 'b', 'c']) expect(running.filter((own) => own.user === user).length).toBeLessThanOrEqual(limits.perUser)
      }
      while (running.length > 0) {
        running[0]?.end()
        await settle()
      }
      await Promise.all(passed)
      expect(begun).toHaveLength(passed.length)
    }), { seed: 1121, numRuns: 60 })
  })
})
