import { describe, expect, test } from 'vitest'
import { PageBuild } from './page-build'

/** A page of build `a` in a tab that keeps what it stored over reloads. */
function pageOf(own: string | undefined, stored = new Map<string, string>()) {
  let reloads = 0
  const kept = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  const page = new PageBuild({ own, kept, reload: () => (reloads += 1) })
  return { page, stored, reloads: () => reloads }
}

describe('the build of a page', () => {
  test.each<[own: string | undefined, served: readonly string[], outdated: boolean]>([
    ['a', [], false],
    ['a', ['a'], false],
    ['a', ['b'], true],
    ['a', ['b', 'a'], false],
    [undefined, ['b'], false],
  ])('%s, while the server has %j: outdated is %s', (own, served, outdated) => {
    const { page } = pageOf(own)
    for (const build of served) page.note(build)
    expect(page.isOutdated()).toBe(outdated)
  })

  test('listeners are told of a change only', () => {
    const { page } = pageOf('a')
    const told: boolean[] = []
    const leave = page.onChange(() => told.push(page.isOutdated()))
    for (const build of ['a', 'a', 'b', 'b']) page.note(build)
    leave()
    page.note('c')
    expect(told).toEqual([false, true])
  })

  test('only an outdated page is replaced', () => {
    const { page, reloads } = pageOf('a')
    page.replace()
    page.note('a')
    page.replace()
    expect(reloads()).toBe(0)
    page.note('b')
    page.replace()
    expect(reloads()).toBe(1)
  })

  test('a page that comes back as it was is not reloaded for the same build again, but for the next one', () => {
    const first = pageOf('a')
    first.page.note('b')
    first.page.replace()
    const again = pageOf('a', first.stored)
    again.page.note('b')
    again.page.replace()
    expect([again.reloads(), again.page.isOutdated()]).toEqual([0, true])
    again.page.note('c')
    again.page.replace()
    expect(again.reloads()).toBe(1)
  })
})
