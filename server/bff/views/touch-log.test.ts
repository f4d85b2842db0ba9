import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TouchLog } from './touch-log'

test('lists what was touched later, once and in order, whatever was touched and forgotten before', () => {
  const step = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), forgets: fc.boolean(), since: fc.nat() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const log = new TouchLog()
      const last = new Map<string, number>()
      for (const { id, forgets, since } of steps) {
        if (forgets) log.forget(id)
        else log.touch(id)
        last.delete(id)
        if (!forgets) last.set(id, log.count)
        const from = since % (log.count + 1)
        const later = [...last].filter(([, at]) => at > from)
        expect(log.after(from).map((touch) => [touch.id, touch.at])).toEqual(later)
      }
    }),
    { seed: 20261129, numRuns: 200 },
  )
})
