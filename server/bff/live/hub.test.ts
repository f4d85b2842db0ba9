import { english } from '@/lib/messages/english'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { Scope } from '../access/access'
import { BINDINGS, CLUSTERS } from '../access/resources'
import { EVERYTHING, emptyScope, scopeOf } from '../access/scope'
import { Signal } from '../cache/signal'
import { FLUSH_INTERVAL_MS } from './flush-schedule'
import { Hub } from './hub'
import type { Topic } from './topic'

const inRed = scopeOf(new Map([['resourcebindings.work.karmada.io', new Set(['red'])]]))
const inBlue = scopeOf(new Map([['resourcebindings.work.karmada.io', new Set(['blue'])]]))

/** Things that belong to the namespace that their id begins with. */
function start(options: { mostIdle?: number } = {}) {
  const clock = createFakeClock()
  const values = new Map<string, number>([
    ['red/a', 1],
    ['blue/b', 1],
  ])
  const projected: string[] = []
  const opened: string[] = []
  const prepared: string[] = []
  const touched = new Signal()
  const pages = { touched: new Signal(), allTouched: new Signal() }
  const placeOf = (id: string) =>
    id.includes('/') ? { ...BINDINGS, namespace: id.slice(0, id.indexOf('/')) } : undefined
  const project = (id: string, scope: Scope) => {
    projected.push(`${scope.key.slice(0, 4)} ${id}`)
    const value = values.get(id)
    return value === undefined ? undefined : ({ id, value } as { id: string })
  }
  let epochs = 0
  const hub = new Hub({
    clock,
    newEpoch: () => `e${++epochs}`,
    onError: (error) => {
      throw error
    },
    ...options,
    collections: { things: { touched, ids: () => values.keys(), placeOf, resources: [BINDINGS], project } },
    pages: {
      thing: {
        ...pages,
        placeOf,
        project,
        prepare: (_, __, id) => prepared.push(id) > 0,
        flushIntervalMs: (id) => (id === 'red/slow' ? 1_000 : undefined),
        open: (id) => opened.push(`+${id}`),
        close: (id) => opened.push(`-${id}`),
      },
    },
  })
  const find = (name: string, scope: Scope): Topic => {
    const found = hub.find(name, scope)
    if ('refusal' in found) throw new Error(english.of(found.refusal))
    return found.topic
  }
  const read = (topic: Topic) => {
    const reader = { notify: () => undefined, readyAt: () => clock.elapsed() }
    topic.join(reader)
    return () => topic.leave(reader)
  }
  const held = (topic: Topic) => topic.log.entities().map(({ id }) => id)
  return { hub, clock, values, projected, opened, prepared, touched, pages, find, read, held }
}

describe('the hub', () => {
  test('quota one topic between readers of the same rights, and none with others', () => {
    const { find, read, held } = start()
    const [red, sameRed, blue] = [
      find('things', inRed),
      find('things', scopeOf(new Map([['resourcebindings.work.karmada.io', new Set(['red'])]]))),
      find('things', inBlue),
    ]
    expect([red === sameRed, red === blue]).toEqual([true, false])
    expect(red.log.position.epoch).not.toBe(blue.log.position.epoch)
    read(red)
    read(blue)
    expect([held(red), held(blue)]).toEqual([['red/a'], ['blue/b']])
  })

  test('does not compute entities of namespaces that no reader sees', () => {
    const { find, read, touched, projected, values, clock } = start()
    read(find('things', inRed))
    projected.length = 0
    values.set('blue/c', 1)
    touched.emit('blue/c')
    clock.advance(1000)
    expect(projected).toEqual([])
  })

  test('forgets a topic that has no reader for two minutes, and keeps one that has a reader', () => {
    const { find, read, clock } = start()
    const [kept, left] = [find('things', inRed), find('things', inBlue)]
    read(kept)
    read(left)()
    clock.advance(119_000)
    expect(find('things', inBlue)).toBe(left)
    clock.advance(241_000)
    expect(find('things', inRed)).toBe(kept)
    expect(find('things', inBlue)).not.toBe(left)
  })

  test('keeps only so many without readers, the latest', () => {
    const { find } = start({ mostIdle: 2 })
    const [a, b, c] = ['red/1', 'red/2', 'red/3'].map((id) => find(`thing/${id}`, EVERYTHING))
    expect([find('thing/red/3', EVERYTHING) === c, find('thing/red/2', EVERYTHING) === b]).toEqual([true, true])
    expect(find('thing/red/1', EVERYTHING)).not.toBe(a)
  })

  test('opens pages of objects where they may be seen, and closes them when no reader is left', () => {
    const { hub, find, read, opened, pages, values, clock, held } = start()
    const [one, other] = [find('thing/red/a', inRed), find('thing/red/a', EVERYTHING)]
    read(one)
    const leave = read(other)
    expect([held(one), held(other)]).toEqual([['red/a'], ['red/a']])
    values.set('red/a', 2)
    pages.touched.emit('red/a')
    clock.advance(1000)
    expect([one.log.get('red/a'), other.log.get('red/a')]).toEqual([
      { id: 'red/a', value: 2 },
      { id: 'red/a', value: 2 },
    ])
    leave()
    clock.advance(300_000)
    expect(opened).not.toContain('-red/a')
    expect(hub.find('thing/red/a', inBlue)).toMatchObject({
      refusal: { code: 'api.live.mayNotList', args: { namespace: 'red' } },
    })
    expect(hub.find('thing/red/a', inBlue)).toEqual(hub.find('thing/red/none', inBlue))
  })

  test('prepares a page by its id, at the interval of that page', () => {
    const { find, read, prepared } = start()
    const [slow, other] = [find('thing/red/slow', inRed), find('thing/red/a', inRed)]
    read(slow)
    expect(prepared).toEqual(['red/slow'])
    expect([slow.flushIntervalMs, other.flushIntervalMs]).toEqual([1_000, FLUSH_INTERVAL_MS])
  })

  test.each<[string, string, Scope, string]>([
    ['an unknown topic', 'nothing', EVERYTHING, 'No topic “nothing”.'],
    ['an id that is none', 'thing/x', EVERYTHING, 'No topic “thing/x”.'],
    ['what objects inherit', 'constructor', EVERYTHING, 'No topic “constructor”.'],
    [
      'a collection of which nothing may be listed',
      'things',
      scopeOf(new Map([['clusters.cluster.karmada.io', 'all' as const]])),
      'You may not list resourcebindings.work.karmada.io. Ask your administrator for permission. The page then updates automatically.',
    ],
    [
      'rights that are not known at present',
      'things',
      emptyScope('Your rights could not be checked.'),
      'Your rights could not be checked.',
    ],
  ])('refuses %s in a sentence', (_, name, scope, sentence) => {
    const found = start().hub.find(name, scope)
    expect('refusal' in found && english.of(found.refusal)).toBe(sentence)
  })

  test('ends every timer when it is closed', () => {
    const { hub, find, read, clock } = start()
    const topic = find('things', EVERYTHING)
    read(topic)
    topic.snapshot()
    find('thing/red/a', EVERYTHING)
    expect(clock.timers).toBeGreaterThan(0)
    hub.close()
    expect(clock.timers).toBe(0)
  })

  test('sees clusters as a resource of their own', () => {
    expect([inRed.sees(CLUSTERS), inRed.sees({ ...BINDINGS, namespace: 'red' }), inRed.sees(BINDINGS)]).toEqual([
      false,
      true,
      false,
    ])
  })
})
