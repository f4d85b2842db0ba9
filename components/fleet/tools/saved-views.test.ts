import { describe, expect, it } from 'vitest'
import fc from '@/lib/testing/properties'
import { MAX_NAME_LENGTH, MAX_VIEWS, readViews, viewOf, withView } from './saved-views'

describe('saved views', () => {
  it('keep the parameters of a view, but neither selection nor drawers', () => {
    expect(viewOf('q=ns%3Dshop&sel=a,b&plan=rebalance&density=dense&evil=1')).toBe('q=ns%3Dshop&density=dense')
  })

  it('read back what was saved, the later one under the same name', () => {
    const views = withView(withView([], { name: ' Night ', search: 'only=exceptions' }), {
      name: 'Night',
      search: 'state=fail',
    })
    expect(readViews(JSON.stringify(views))).toEqual([{ name: 'Night', search: 'state=fail' }])
  })

  it('are empty if the storage holds anything else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (stored) => {
        for (const { name, search } of readViews(stored)) {
          expect(name.length).toBeGreaterThan(0)
          expect(viewOf(search)).toBe(search)
        }
      }),
    )
    expect(readViews(null)).toEqual([])
    expect(
      readViews('[1, null, {"name": "a"}, {"name": "", "search": ""}, {"name": "b", "search": "q=x&sel=y"}]'),
    ).toEqual([{ name: 'b', search: 'q=x' }])
  })

  it('are limited in number and length', () => {
    const many = Array.from({ length: MAX_VIEWS + 5 }, (_, at) => ({ name: `view ${at}`, search: '' }))
    const read = readViews(JSON.stringify(many))
    expect(read).toHaveLength(MAX_VIEWS)
    expect(withView(read, { name: 'one more', search: '' })).toBe(read)
    expect(withView([], { name: 'n'.repeat(300), search: '' })[0]!.name).toHaveLength(MAX_NAME_LENGTH)
  })
})
