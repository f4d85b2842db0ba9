import { describe, expect, test } from 'vitest'
import { type Track, windowOf } from './window'

const track: Track = { count: 100, start: 40, size: 20, offset: 0, room: 200, overscan: 2, active: -1 }

describe('what is drawn of many', () => {
  test.each<[string, Partial<Track>, number[]]>([
    ['begins at the first', {}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['follows the scrolling', { offset: 1040, room: 60 }, [48, 49, 50, 51, 52, 53, 54]],
    ['ends at the last', { offset: 1980, room: 60 }, [95, 96, 97, 98, 99]],
    ['has the active one before', { offset: 1980, room: 60, active: 3 }, [3, 95, 96, 97, 98, 99]],
    ['has the active one behind', { room: 60, active: 99 }, [0, 1, 2, 99]],
    ['has the active one once', { room: 60, active: 2 }, [0, 1, 2]],
    ['leaves out an active one that is gone', { room: 60, active: 100 }, [0, 1, 2]],
    ['is all of a few', { count: 2 }, [0, 1]],
    ['is nothing of nothing', { count: 0 }, []],
  ])('%s', (_, change, expected) => {
    expect(windowOf({ ...track, ...change })).toEqual(expected)
  })
})
