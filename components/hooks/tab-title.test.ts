import { expect, it } from 'vitest'
import { english } from '@/lib/messages/english'
import { titleWhileHidden } from './tab-title'

const counts = (fail: number) => ({ ok: 5, active: 1, warn: 2, fail, held: 0, unknown: 0 })

it.each([
  [
    'says what fails, workloads and clusters together',
    { workloads: counts(2), clusters: counts(1) },
    '(3 failing) Fleet · Evenkeel',
  ],
  ['stays as it is while nothing fails', { workloads: counts(0), clusters: counts(0) }, 'Fleet · Evenkeel'],
  ['counts workloads alone for who may not list clusters', { workloads: counts(4) }, '(4 failing) Fleet · Evenkeel'],
])('the title of a hidden tab %s', (_, summary, title) => {
  expect(titleWhileHidden(english, 'Fleet · Evenkeel', summary)).toBe(title)
})
