import { describe, expect, it } from 'vitest'
import { workloadId } from '@/lib/view/workload-id'
import { readLeftOut, withoutLeftOut, writeLeftOut } from './left-out'

const ref = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name })
const [web, db] = [ref('web'), ref('db')]

describe('workloads that are left out of a plan', () => {
  it.each([[[]], [[workloadId(web)]], [[workloadId(web), workloadId(db)]]])('are kept in the address: %j', (ids) => {
    expect(readLeftOut(writeLeftOut(ids))).toEqual(ids)
  })

  it('are taken from the targets, whose order stays', () => {
    expect(withoutLeftOut([web, db], [workloadId(web)])).toEqual({ remaining: [db], out: [workloadId(web)] })
  })

  it('change nothing if they are no targets, so that nothing is recomputed', () => {
    const targets = [web]
    expect(withoutLeftOut(targets, [workloadId(db)]).remaining).toBe(targets)
    expect(withoutLeftOut(targets, [workloadId(db)]).out).toEqual([])
  })
})
