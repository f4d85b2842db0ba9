import { describe, expect, it } from 'vitest'
import { href, withChanges } from './url-state'

describe('an address with changes', () => {
  const cases: [name: string, search: string, changes: Record<string, string | undefined>, result: string][] = [
    ['adds a parameter', '', { q: 'web' }, '/fleet?q=web'],
    ['keeps the others', '?q=web', { state: 'warn' }, '/fleet?q=web&state=warn'],
    ['takes one away', '?q=web&state=warn', { state: undefined }, '/fleet?q=web'],
    ['drops an empty value', '?q=web', { q: '' }, '/fleet'],
    [
      'leaves slashes, commas and tildes readable',
      '',
      { sel: 'apps~v1/Deployment/a/b,c' },
      '/fleet?sel=apps~v1/Deployment/a/b,c',
    ],
    ['escapes what would end the parameter', '', { q: 'a&b#c' }, '/fleet?q=a%26b%23c'],
  ]
  it.each(cases)('%s', (_name, search, changes, result) => {
    expect(withChanges('/fleet', search, changes)).toBe(result)
  })

  it('comes back from the address as it was', () => {
    const id = 'apps~v1/Deployment/team a/100%&?=#+web'
    expect(new URLSearchParams(href.workload(id).split('?')[1]).get('id')).toBe(id)
  })
})
