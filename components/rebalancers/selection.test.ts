import { describe, expect, it } from 'vitest'
import { selectionSchema } from '@/lib/view/actions'
import { readSelection } from './selection'

const read = (fields: Record<string, string>) => readSelection((field) => fields[field])

describe('the selection of a plan', () => {
  it.each<Record<string, string>>([{}, { ns: '' }, { ns: ' , ', labels: '  ' }])('%j chooses nothing', (fields) =>
    expect(read(fields)).toBeUndefined(),
  )

  const rows: [string, Record<string, string>, object][] = [
    ['namespaces', { ns: 'shop, pay,' }, { namespaces: ['shop', 'pay'] }],
    ['labels with commas of their own', { labels: ' app=web,tier in (a,b) ' }, { labels: 'app=web,tier in (a,b)' }],
    [
      'policies of a namespace and of all',
      { policy: 'shop/web, everywhere' },
      { policies: [{ namespace: 'shop', name: 'web' }, { name: 'everywhere' }] },
    ],
    [
      'clusters',
      { on: 'm2', left: 'm1', kind: 'Deployment' },
      { runningOn: ['m2'], left: ['m1'], kinds: ['Deployment'] },
    ],
  ]
  it.each(rows)('reads %s, and the server takes it', (_name, fields, selection) => {
    expect(read(fields)).toEqual(selection)
    expect(selectionSchema.safeParse(selection).success).toBe(true)
  })
})
