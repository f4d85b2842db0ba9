import { describe, expect, test } from 'vitest'
import type { Answer, Call, Sink } from '../call'
import { json } from '../call'
import { fairly } from './fair-use'
import { MAX_WAITING, MAX_WATCHES } from './fair-queue'

const call = (user: string, groups: string[], path = '/api/v1/namespaces/n/configmaps'): Call =>
  ({ method: 'GET', path, caller: { user, groups } }) as unknown as Call

const overfull = MAX_WAITING + 50

describe('fair use', () => {
  test.each([
    ['an administrator', 'root', ['system:masters'], undefined],
    ['a node', 'system:node:a', ['system:nodes'], undefined],
    ['a controller of the system', 'x', ['system:serviceaccounts:kube-system'], undefined],
    ['a probe', 'system:anonymous', ['system:unauthenticated'], '/readyz'],
  ])('%s never waits', async (_, user, groups, path) => {
    let begun = 0
    const handle = fairly(
      async () => {
        begun += 1
        return json({})
      },
      { afterEventLoop: () => undefined },
    )
    for (let count = 0; count < overfull; count++) void handle(call(user, groups, path))
    expect(begun).toBe(overfull)
  })

  test('a tenant is refused beyond the limit, whomever it acts as', async () => {
    const handle = fairly(async () => json({}), { afterEventLoop: () => undefined })
    const ask = (index: number): Promise<Answer> =>
      handle({ ...call('tenant', ['system:authenticated']), headers: { 'impersonate-user': `u${index}` } } as Call)
    // One runs, and as many wait as may.
    for (let index = 0; index <= MAX_WAITING; index++) void ask(index)
    await expect(ask(overfull)).rejects.toMatchObject({ status: { code: 429, reason: 'TooManyRequests' } })
  })

  test('watches of one user are limited, and one that is closed gives its place back', async () => {
    const closers: (() => void)[] = []
    const sink = { onClose: (callback: () => void) => void closers.push(callback) } as unknown as Sink
    const stream: Answer = { start: () => undefined, follow: () => undefined }
    const handle = fairly(async () => stream)
    const open = async (user: string): Promise<void> => {
      const answer = await handle(call(user, ['system:authenticated']))
      if ('start' in answer) answer.start(sink)
    }
    for (let count = 0; count < MAX_WATCHES; count++) await open('tenant')
    await expect(open('tenant')).rejects.toMatchObject({ status: { code: 429 } })
    await open('other')
    closers[0]?.()
    await open('tenant')
  })
})
