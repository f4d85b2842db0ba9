import { describe, expect, it } from 'vitest'
import fc from '@/lib/testing/properties'
import { diffObjects, rebase } from './object-diff'

const pod = (...containers: object[]) => ({ spec: { replicas: 2, containers } })
const web = (image: string) => ({ name: 'web', image })

describe('what differs', () => {
  it('is named by the keys of lists, not by places', () => {
    const changes = diffObjects(pod(web('a')), pod({ name: 'log', image: 'l' }, web('b')))
    expect(changes.map(({ path, before, after }) => [path, before, after])).toEqual([
      ['spec.containers[name=web].image', 'a', 'b'],
      ['spec.containers[name=log]', undefined, { name: 'log', image: 'l' }],
    ])
  })

  it('of lists without a key is the list', () => {
    expect(diffObjects({ args: ['a'] }, { args: ['a', 'b'] })).toMatchObject([
      { path: 'args', before: ['a'], after: ['a', 'b'] },
    ])
  })

  it('has names that are no plain words in quotes', () => {
    expect(diffObjects({ labels: {} }, { labels: { 'a.b/c': '1' } })[0]?.path).toBe('labels["a.b/c"]')
    expect(diffObjects({}, JSON.parse('{"__proto__":1}'))[0]?.path).toBe('__proto__')
  })
})

describe('an edit on a newer version', () => {
  it('keeps both where they do not meet', () => {
    const { object, conflicts } = rebase(pod(web('a')), pod(web('b')), {
      spec: { ...pod({ name: 'log' }, web('a')).spec, replicas: 5 },
    })
    expect(object).toEqual({ spec: { replicas: 5, containers: [{ name: 'log' }, web('b')] } })
    expect(conflicts).toEqual([])
  })

  it('wins where they meet, and says so', () => {
    const { object, conflicts } = rebase(pod(web('a')), pod(web('b')), pod(web('c')))
    expect(object).toEqual(pod(web('b')))
    expect(conflicts.map(({ path }) => path)).toEqual(['spec.containers[name=web].image'])
  })

  it('takes away what it took away', () => {
    const { object } = rebase(pod(web('a'), { name: 'log' }), pod(web('a')), pod(web('c'), { name: 'log' }))
    expect(object).toEqual(pod(web('c')))
  })

  it('on the same version is the edit', () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.dictionary(fc.string(), tie('node'))),
    })).node
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.dictionary(fc.string(), value), (base, mine) => {
        expect(rebase(base, mine, base)).toEqual({ object: mine, conflicts: [] })
      }),
    )
  })
})
