import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PROBLEMS } from '@/lib/view/problems'

test('docs/api.md lists every problem reason beside its status', () => {
  const rows = readFileSync('docs/api.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  const missing = Object.entries(PROBLEMS).filter(
    ([reason, status]) => !rows.some((row) => row.includes(`\`${reason}\``) && row.includes(String(status))),
  )
  expect(missing.map(([reason]) => reason)).toEqual([])
})
