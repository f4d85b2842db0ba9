import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReviewLimiter, type Urgency } from './review-limiter'

/** Calls that end when the test says so. */
function openLimiter(limits = { most: 4, perUser: 2, background: 3 }) {
  const limiter = new ReviewLimiter(limits)
  const running: { user: string; urgency: Urgency; end: () => void }[] = []
  const begun: string[] = []
  const run = (user: string, urgency: Urgency = 'urgent') =>
    limiter.run(
      { user, urgency },
      () =>
        new Promise<void>((resolve) => {
          begun.push(user)
          const own = {
            user,
            urgency,
            end: () => {
              running.splice(running.indexOf(own), 1)
              resolve()
            },
          }
          running.push(own)
        }),
    )
  const settle = () =>
    new Promise((resolve) => {
      setImmediate(resolve)
    })
  return { limiter, run, running, begun, settle }
}

describe('the limiter of reviews', () => {
  test('lets users through in rotation: a single request does not wait for a thousand of another user', async () => {
    const { run, running, begun, settle } = openLimiter({ most: 2, perUser: 2, background: 2 })
    for (let at = 0; at < 1000; at++) void run('greedy', 'background')
    void run('modest', 'background')
    await settle()
    running[0]?.end()
    await settle()
    running[0]?.end()
    await settle()
    expect(begun.slice(0, 4)).toContain('modest')
  })

  test('runs a review that a user waits for before a background review', async () => {
    const { run, running, begun, settle } = openLimiter({ most: 1, perUser: 1, background: 1 })
    void run('first')
    void run('background', 'background')
    void run('clicked')
    await settle()
    running[0]?.end()
    await settle()
    expect(begun).toEqual(['first', 'clicked'])
  })

  test('keeps a place for what is urgent while all background reviews hang', async () => {
    const { run, begun, settle } = openLimiter({ most: 4, perUser: 4, background: 3 })
    for (let at = 0; at < 10; at++) void run(`slow-${at}`, 'background')
    void run('clicked')
    await settle()
    expect(begun).toEqual(['slow-0', 'slow-1', 'slow-2', 'clicked'])
  })

  test('passes a failure on and frees the place', async () => {
    const { limiter } = openLimiter({ most: 1, perUser: 1, background: 1 })
    await expect(limiter.run({ user: 'a', urgency: 'urgent' }, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    )
    await expect(limiter.run({ user: 'a', urgency: 'urgent' }, () => Promise.resolve(7))).resolves.toBe(7)
  })

  test('never exceeds a limit, and loses and starves no review, in any order of arrivals and ends', async () => {
    const limits = { most: 4, perUser: 2, background: 3 }
    const step = fc.oneof(
      fc.record({ user: fc.constantFrom('a', 'b', 'c'), urgency: fc.constantFrom<Urgency>('urgent', 'background') }),
      fc.constant('end' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { run, running, begun, settle } = openLimiter(limits)
        const passed: Promise<void>[] = []
        for (const each of steps) {
          if (each === 'end') running[0]?.end()
          else passed.push(run(each.user, each.urgency))
          await settle()
          expect(running.length).toBeLessThanOrEqual(limits.most)
          expect(running.filter(({ urgency }) => urgency === 'background').length).toBeLessThanOrEqual(
            limits.background,
          )
          for (const user of ['a', 'b', 'c'])
            expect(running.filter((own) => own.user === user).length).toBeLessThanOrEqual(limits.perUser)
        }
        while (running.length > 0) {
          running[0]?.end()
          await settle()
        }
        await Promise.all(passed)
        expect(begun).toHaveLength(passed.length)
      }),
      { seed: 1121, numRuns: 60 },
    )
  })
})
