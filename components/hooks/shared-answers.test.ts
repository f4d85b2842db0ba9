import { QueryClient } from '@tanstack/react-query'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { SharedAnswers } from './shared-answers'

const STALE_MS = 30_000
const KEY = ['access', 'patch bindings']

/** Answers that count how often the server was asked. */
function asking() {
  const client = new QueryClient()
  client.mount()
  onTestFinished(() => {
    client.clear()
    client.unmount()
  })
  const clock = createFakeClock()
  const shared = new SharedAnswers(client, clock)
  let asked = 0
  const queryFn = async () => (asked += 1)
  // The clock of the client is the real one: here every answer is outdated as soon as it is there.
  const queries = () => [{ queryKey: KEY, queryFn, staleTime: 0, retry: false }]
  const answers = () => shared.of({ key: 'patch bindings', queries, staleMs: STALE_MS })
  const observers = () => client.getQueryCache().find({ queryKey: KEY })?.getObserversCount()
  return { client, clock, answers, asked: () => asked, observers }
}

describe('answers that many rows ask for', () => {
  test('are fetched once by one observer, and every row is told', async () => {
    const { answers, asked, observers } = asking()
    const told = [0, 0]
    for (const at of told.keys()) answers().subscribe(() => void (told[at]! += 1))
    await vi.waitFor(() => expect(answers().get()[0]?.data).toBe(1))
    expect([asked(), observers()]).toEqual([1, 1])
    expect(told.every((times) => times > 0)).toBe(true)
  })

  test('are fetched again for a row that comes when they are old', async () => {
    const { answers, asked, clock } = asking()
    answers().subscribe(() => undefined)
    await vi.waitFor(() => expect(answers().get()[0]?.data).toBe(1))
    clock.advance(STALE_MS - 1)
    answers().subscribe(() => undefined)
    expect(asked()).toBe(1)
    clock.advance(1)
    answers().subscribe(() => undefined)
    await vi.waitFor(() => expect(answers().get()[0]?.data).toBe(2))
  })

  test('are not observed any more when the last row is gone, and observed again by the next', async () => {
    const { answers, observers } = asking()
    const [first, second] = [answers().subscribe(() => undefined), answers().subscribe(() => undefined)]
    first()
    expect(observers()).toBe(1)
    second()
    expect(observers()).toBe(0)
    answers().subscribe(() => undefined)
    expect(observers()).toBe(1)
  })

  test('that came between drawing and subscribing are not missed', () => {
    const { answers, client } = asking()
    const drawn = answers()
    expect(drawn.get()[0]?.data).toBeUndefined()
    client.setQueryData(KEY, 7)
    drawn.subscribe(() => undefined)
    expect(drawn.get()[0]?.data).toBe(7)
  })
})
