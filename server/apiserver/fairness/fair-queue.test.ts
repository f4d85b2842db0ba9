import { describe, expect, test } from 'vitest'
import { KubeError } from '@/lib/kube/errors'
import { MAX_RUNNING, MAX_WAITING, FairQueue } from './fair-queue'

/** Turns whose ends and time are moved by hand; every request notes when it begins. */
function byHand() {
  let time = 0
  let eventLoopEnd: (() => void) | undefined
  const begun: string[] = []
  const rests: { ms: number; end: () => void }[] = []
  const queue = new FairQueue({
    now: () => time,
    afterEventLoop: (callback) => {
      eventLoopEnd = callback
    },
    after: (ms, end) => void rests.push({ ms, end }),
  })
  const ask = (
    user: string,
    { namespace = 'n', takes = 1, lasts }: { namespace?: string; takes?: number; lasts?: Promise<void> } = {},
  ) =>
    queue.run({ user, namespace }, async () => {
      begun.push(`${user}/${namespace}`)
      time += takes
      await lasts
    })
  const endTurn = async (count = 1, { endRests = true } = {}): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      const end = eventLoopEnd
      eventLoopEnd = undefined
      end?.()
      for (let micro = 0; micro < 5; micro++) await Promise.resolve()
      if (!endRests || eventLoopEnd) continue
      for (const rest of rests.splice(0)) {
        time += rest.ms
        rest.end()
      }
    }
  }
  return {
    begun,
    ask,
    endTurn,
    rests,
    pass: (ms: number) => {
      time += ms
    },
  }
}

describe('tenants take turns', () => {
  test('a request begins at once when nothing waits', () => {
    const { begun, ask } = byHand()
    void ask('a')
    expect(begun).toEqual(['a/n'])
  })

  test('one request starts in each iteration, and a new user waits for at most the running one', async () => {
    const { begun, ask, endTurn } = byHand()
    for (let count = 0; count < 50; count++) void ask('noisy')
    await endTurn(3)
    void ask('quiet')
    await endTurn()
    expect(begun).toEqual(['noisy/n', 'noisy/n', 'noisy/n', 'noisy/n', 'quiet/n'])
  })

  test('it is time that counts, not the number of requests', async () => {
    const { begun, ask, endTurn } = byHand()
    for (let count = 0; count < 10; count++) void ask('heavy', { takes: 10 })
    for (let count = 0; count < 40; count++) void ask('light', { takes: 1 })
    await endTurn(42)
    const heavy = begun.filter((name) => name === 'heavy/n').length
    expect(heavy).toBeGreaterThanOrEqual(2)
    expect(heavy).toBeLessThanOrEqual(5)
  })

  test('a user who rested has not saved up turns', async () => {
    const { begun, ask, endTurn } = byHand()
    void ask('rested')
    await endTurn()
    for (let count = 0; count < 100; count++) void ask('busy')
    await endTurn(50)
    for (let count = 0; count < 20; count++) void ask('rested')
    const before = begun.length
    await endTurn(20)
    expect(begun.slice(before).filter((name) => name === 'busy/n').length).toBeGreaterThanOrEqual(5)
  })

  test('beside a lighter user one request runs at a time, with rests, and the lighter user begins at once', async () => {
    const { begun, ask, endTurn, rests } = byHand()
    for (let count = 0; count < 10; count++) void ask('noisy', { takes: 4 })
    void ask('quiet')
    await endTurn(3, { endRests: false })
    expect(begun).toEqual(['noisy/n', 'quiet/n'])
    expect(rests).toHaveLength(1)
    void ask('quiet')
    expect(begun.at(-1)).toBe('quiet/n')
    await endTurn()
    expect(begun.at(-1)).toBe('quiet/n')
    await endTurn(3)
    expect(begun.at(-1)).toBe('noisy/n')
  })

  test('a user who is alone does not rest, and no longer a second after the others', async () => {
    const { begun, ask, endTurn, rests, pass } = byHand()
    void ask('quiet')
    await endTurn()
    pass(1001)
    for (let count = 0; count < 10; count++) void ask('noisy')
    await endTurn(9)
    expect(rests).toEqual([])
    expect(begun).toHaveLength(11)
  })

  test('the namespaces of one user take turns, too', async () => {
    const { begun, ask, endTurn } = byHand()
    for (let count = 0; count < 10; count++) void ask('a', { namespace: 'large' })
    void ask('a', { namespace: 'small' })
    await endTurn(3)
    expect(begun).toContain('a/small')
  })

  test('more waiting requests than the limit are refused with 429 and Retry-After, of this user only', async () => {
    const { begun, ask, endTurn } = byHand()
    for (let count = 0; count <= MAX_WAITING; count++) void ask('noisy')
    const refused = (() => {
      try {
        void ask('noisy')
        return undefined
      } catch (error) {
        return error as KubeError
      }
    })()
    expect(refused).toBeInstanceOf(KubeError)
    expect(refused?.status).toMatchObject({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } })
    expect(refused?.message).toContain('user "noisy" has 200 requests waiting')
    void ask('quiet')
    await endTurn()
    expect(begun).toContain('quiet/n')
  })

  test('requests that wait for something do not use up the places of others', async () => {
    const { begun, ask, endTurn } = byHand()
    const never = new Promise<void>(() => undefined)
    for (let count = 0; count < MAX_RUNNING + 5; count++) void ask('stuck', { lasts: never })
    await endTurn(MAX_RUNNING + 5)
    expect(begun).toHaveLength(MAX_RUNNING)
    void ask('other')
    await endTurn(2)
    expect(begun.at(-1)).toBe('other/n')
  })

  test('what fails gives its place back and rejects', async () => {
    const { begun, endTurn, ask } = byHand()
    const queue = new FairQueue()
    await expect(queue.run({ user: 'a', namespace: '' }, () => Promise.reject(new Error('x')))).rejects.toThrow('x')
    await expect(queue.run({ user: 'a', namespace: '' }, () => Promise.resolve(1))).resolves.toBe(1)
    void ask('a')
    await endTurn()
    expect(begun).toEqual(['a/n'])
  })
})
