import { describe, expect, it } from 'vitest'
import { matchesFilter, parseFilter } from './filter'

const web = { name: ['payments/web'], ns: ['payments'], kind: ['Deployment'], cluster: ['eu-1', 'us-1'] }

describe('a filter', () => {
  const cases: [name: string, filter: string, matches: boolean][] = [
    ['matches everything when empty', '  ', true],
    ['finds a part of the name', 'eb', true],
    ['does not look at other fields for a bare word', 'eu-1', false],
    ['asks one field', 'ns=pay', true],
    ['matches any value of a field', 'cluster=us-1', true],
    ['takes either of two with a comma', 'ns=search,pay', true],
    ['excludes either of two with a comma', '-ns=search,pay', false],
    ['takes no part that is empty', 'ns=search,', false],
    ['needs every word', 'web ns=search', false],
    ['excludes with a minus', '-ns=payments', false],
    ['keeps what an exclusion does not name', '-ns=search', true],
    ['takes a single minus as text', '-', false],
    ['ignores capitals', 'KIND=deployment', true],
    ['matches nothing in a field that does not exist', 'team=pay', false],
  ]
  it.each(cases)('%s', (_name, filter, matches) => {
    expect(matchesFilter(parseFilter(filter), web)).toBe(matches)
  })
})
