import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { readFrame } from '../testing/live-client'
import type { Frame } from './frames'
import { Topic } from './topic'

function setUp({ prepare }: { prepare?: (isLong: () => boolean) => boolean } = {}) {
  const clock = createFakeClock()
  const values = new Map<string, number>()
  const computed: string[] = []
  const failed: unknown[] = []
  const topic = new Topic({
    name: 't',
    epoch: 'e',
    clock,
    onError: (_, id) => failed.push(id),
    ...(prepare && { prepare }),
    project: (id) => {
      computed.push(id)
      const value = values.get(id)
      if (value === 13) throw new Error('unlucky')
      return value === undefined ? undefined : ({ id, value } as { id: string })
    },
  })
  const revisions: number[] = []
  /** Accepts messages at any time, unless configured otherwise. */
  const reader = { notify: () => void revisions.push(topic.log.position.revision), readyAt: () => clock.elapsed() }
  const write = (id: string, value: number | undefined) => {
    if (value === undefined) values.delete(id)
    else values.set(id, value)
    topic.touch(id)
  }
  return { clock, topic, reader, revisions, computed, failed, write }
}

describe('a topic', () => {
  test('computes nothing without readers, and everything once when a reader joins', () => {
    const { topic, reader, computed, write, clock } = setUp()
    write('a', 1)
    write('a', 2)
    clock.advance(10_000)
    expect(computed).toEqual([])
    topic.join(reader)
    expect(computed).toEqual(['a'])
    expect(topic.log.entities()).toEqual([{ id: 'a', value: 2 }])
  })

  test('computes at once for a ready reader, and later for a throttled one', () => {
    const { topic, reader, computed, revisions, write, clock } = setUp()
    topic.join(reader)
    write('a', 1)
    clock.advance(0)
    expect(revisions).toEqual([1])
    const turn = clock.elapsed() + 250
    reader.readyAt = () => Math.max(turn, clock.elapsed())
    computed.length = 0
    for (let at = 0; at < 10; at++) {
      write('a', at + 100)
      clock.advance(20)
    }
    expect([computed, revisions]).toEqual([[], [1]])
    clock.advance(50)
    expect([computed, revisions, topic.log.entities()]).toEqual([['a'], [1, 2], [{ id: 'a', value: 109 }]])
  })

  test('computes when the first of its readers is ready, and not for a reader that is stalled', () => {
    const { topic, reader, computed, write, clock } = setUp()
    const began = clock.elapsed()
    const stalled = { notify: () => undefined, readyAt: () => Infinity }
    topic.join(stalled)
    write('a', 1)
    clock.advance(1_000)
    expect(computed).toEqual([])
    topic.join({ ...reader, readyAt: () => began + 1_090 })
    topic.join({ ...reader, readyAt: () => began + 1_030 })
    clock.advance(29)
    expect(computed).toEqual([])
    clock.advance(1)
    expect(computed).toEqual(['a'])
  })

  test('refreshes for a reader that is ready, once for all refreshes at the same moment', () => {
    const { topic, reader, computed, write, clock } = setUp()
    topic.join({ ...reader, readyAt: () => Infinity })
    write('a', 1)
    topic.refresh()
    write('b', 1)
    topic.refresh()
    expect(computed).toEqual(['a'])
    clock.advance(10)
    topic.refresh()
    expect(computed).toEqual(['a', 'b'])
  })

  test('sends a change at once though a check just before found none', () => {
    const { topic, reader, revisions, write, clock } = setUp()
    write('a', 1)
    topic.join(reader)
    clock.advance(1000)
    write('a', 1)
    clock.advance(10)
    write('a', 2)
    clock.advance(0)
    expect(revisions).toEqual([2])
  })

  test('sends nothing if a changed object yields the same entity', () => {
    const { topic, reader, revisions, write, clock } = setUp()
    write('a', 1)
    topic.join(reader)
    write('a', 1)
    clock.advance(1000)
    expect(revisions).toEqual([])
  })

  test('recomputes only what was touched', () => {
    const { topic, reader, computed, write, clock } = setUp()
    write('a', 1)
    write('b', 1)
    topic.join(reader)
    computed.length = 0
    write('b', 2)
    clock.advance(1000)
    expect(computed).toEqual(['b'])
  })

  test('keeps showing an entity that cannot be projected, and all others', () => {
    const { topic, reader, failed, write, clock } = setUp()
    write('a', 1)
    write('b', 1)
    topic.join(reader)
    write('a', 13)
    write('b', 2)
    clock.advance(1000)
    expect(failed).toEqual(['a'])
    expect(topic.log.entities()).toEqual([
      { id: 'a', value: 1 },
      { id: 'b', value: 2 },
    ])
  })

  test('projects many entities a part at a time, and has nothing to send before the last', () => {
    const { topic, reader, revisions, computed, write, clock } = setUp()
    for (let at = 0; at < 1200; at++) write(`e${at}`, at + 20)
    topic.join(reader)
    expect([computed.length, topic.isWhole, revisions]).toEqual([500, false, []])
    topic.flush()
    expect([computed.length, topic.isWhole]).toEqual([1000, false])
    clock.advance(0)
    expect([computed.length, topic.isWhole, revisions, topic.log.size]).toEqual([1200, true, [3], 1200])
    for (let at = 0; at < 700; at++) write(`e${at}`, at + 21)
    clock.advance(250)
    expect([revisions.length, topic.log.entities().filter(({ id }) => id === 'e699')]).toEqual([
      2,
      [{ id: 'e699', value: 720 }],
    ])
  })

  test('projects for as long as one turn may take', () => {
    const { topic, reader, computed, write, clock } = setUp()
    const started = clock.elapsed()
    const elapsed = clock.elapsed.bind(clock)
    // Each entity takes 6 ms.
    clock.elapsed = () => elapsed() + computed.length * 6
    for (let at = 0; at < 10; at++) write(`e${at}`, at + 20)
    topic.join(reader)
    expect([computed.length, topic.isWhole]).toEqual([4, false])
    clock.advance(0)
    expect([computed.length, topic.isWhole, clock.elapsed() - started]).toEqual([10, true, 60])
  })

  test('ends with what was touched when it began, and takes the rest in its time', () => {
    const { topic, reader, revisions, computed, write, clock } = setUp()
    for (let at = 0; at < 700; at++) write(`e${at}`, at + 20)
    topic.join(reader)
    const due = clock.elapsed() + 250
    reader.readyAt = () => Math.max(due, clock.elapsed())
    write('e0', 1)
    write('e699', 2)
    clock.advance(0)
    expect([computed.length, topic.isWhole, revisions.length]).toEqual([700, true, 1])
    expect(topic.log.entities()).toContainEqual({ id: 'e699', value: 2 })
    clock.advance(250)
    expect([computed.slice(700), revisions.length]).toEqual([['e0'], 2])
  })

  test('projects when everything is prepared, which takes as many turns as it needs', () => {
    let left = 3
    const { topic, reader, computed, revisions, write, clock } = setUp({ prepare: () => --left === 0 })
    write('a', 1)
    topic.join(reader)
    expect([computed, left, revisions]).toEqual([[], 2, []])
    clock.advance(0)
    expect([computed, left, revisions]).toEqual([['a'], 0, [1]])
  })

  test('projects also when preparing fails, and tells it', () => {
    const prepare = (): boolean => {
      throw new Error('unprepared')
    }
    const { topic, reader, computed, failed, write } = setUp({ prepare })
    write('a', 1)
    topic.join(reader)
    expect([computed, failed]).toEqual([['a'], ['t']])
  })

  test('goes on where it stopped when its only reader left while it was filled', () => {
    const { topic, reader, computed, write, clock } = setUp()
    for (let at = 0; at < 700; at++) write(`e${at}`, at + 20)
    topic.join(reader)
    topic.leave(reader)
    clock.advance(1000)
    expect([computed.length, topic.isWhole]).toEqual([500, false])
    topic.join(reader)
    expect([computed.length, topic.isWhole, topic.log.size]).toEqual([700, true, 700])
  })

  test('rests again when its last reader leaves', () => {
    const { topic, reader, computed, write, clock } = setUp()
    topic.join(reader)
    write('a', 1)
    topic.leave(reader)
    clock.advance(1000)
    expect(computed).toEqual([])
  })

  test('gives a reader that does not stay a snapshot once it is whole', async () => {
    const { topic, computed, write, clock } = setUp()
    for (let at = 0; at < 1200; at++) write(`e${at}`, at + 20)
    const latest = topic.latest()
    expect([computed.length, topic.isWhole]).toEqual([1000, false])
    clock.advance(0)
    expect(messageIn(await latest)).toMatchObject({ type: 'snapshot', revision: 3, epoch: 'e' })
    expect([topic.isWhole, topic.isRead]).toEqual([true, false])
  })

  test('reuses that snapshot for a second, and longer only without a change', async () => {
    const { topic, write, clock } = setUp()
    for (let at = 0; at < 20; at++) write(`e${at}`, at + 20)
    const first = await topic.latest()
    clock.advance(20_000)
    expect(await topic.latest()).toBe(first)
    write('e1', 7)
    expect(await topic.latest()).not.toBe(first)
    const second = await topic.latest()
    expect(messageIn(second)).toMatchObject({ revision: 2, entities: expect.arrayContaining([{ id: 'e1', value: 7 }]) })
    write('e1', 8)
    clock.advance(1_000)
    expect(await topic.latest()).toBe(second)
    clock.advance(1)
    expect(messageIn(await topic.latest())).toMatchObject({ revision: 3 })
  })
})

const messageIn = ({ data }: Frame): unknown => JSON.parse(readFrame(data))
