import { describe, expect, it } from 'vitest'
import fc from '@/lib/testing/properties'
import { columnArranger, rowArranger } from '../matrix-model'
import { addAmounts, amountsOf, sizeOf, spreadOf, worstFate } from './amounts'
import { cpuShare, HeatRows, regionSum, silentClusters } from './rows'
import { aCell, aCluster, aWorkload, fleets } from './testing/fleets'
import { foldingOf } from '../folding'

const arrangeRows = rowArranger()

describe('what became of replicas', () => {
  it('distinguishes starting, missing, held and failed replicas', () => {
    const fateOf = (state: 'active' | 'warn' | 'held' | 'fail') =>
      worstFate(amountsOf(aCell('eu-1', { ready: 1, state: { state, reason: '' } }), false))
    expect([fateOf('active'), fateOf('warn'), fateOf('held'), fateOf('fail')]).toEqual([
      'starting',
      'short',
      'held',
      'failed',
    ])
  })

  it('counts replicas of a silent cluster as lost, leaving ones too', () => {
    const cell = aCell('eu-1', { desired: 0, ready: 0, current: 0, role: 'evicting', oldUnknown: 3 })
    expect(amountsOf(cell, true)).toMatchObject({ lost: 3, unknown: 0 })
    expect(amountsOf(cell, false)).toMatchObject({ lost: 0, unknown: 3 })
  })

  it('says how evenly replicas are distributed', () => {
    expect(spreadOf([{ desired: 2 }, { desired: 0 }, { desired: 5 }])).toEqual({ clusters: 2, least: 2, most: 5 })
    expect(spreadOf([])).toEqual({ clusters: 0, least: 0, most: 0 })
  })
})

describe('roll-ups', () => {
  it('sum to the totals: groups over clusters, regions over rows, and both are what the workloads have', () => {
    fc.assert(
      fc.property(fleets, ({ clusters, workloads }) => {
        const columns = columnArranger()(clusters, workloads)
        const drawn = new HeatRows(silentClusters(columns), false, (name) => name)
        const rows = arrangeRows(workloads, 'namespace', { has: () => true })
        const regions = [...Map.groupBy(columns, ({ region }) => region)]
        const ofRegions = addAmounts(
          rows.flatMap((row) =>
            regions.map(([region, members]) => regionSum(drawn.of(row), { region, clusters: members }).amounts),
          ),
        )
        const ofGroups = addAmounts(rows.flatMap((row) => [...drawn.of(row).cells.values()]))
        const counted = workloads.filter(({ hasReplicas }) => hasReplicas)
        expect(ofRegions).toEqual(ofGroups)
        expect(ofGroups.desired).toBe(counted.reduce((sum, { desired }) => sum + desired, 0))
        expect(ofGroups.ready).toBe(counted.reduce((sum, { ready }) => sum + ready, 0))
        const all = counted.flatMap(({ cells }) => cells)
        const expected = all.reduce((sum, { desired, old = 0, oldUnknown = 0 }) => sum + desired + old + oldUnknown, 0)
        expect(sizeOf(ofGroups)).toBe(expected)
      }),
    )
  })

  it('are the same object until one of their workloads changes', () => {
    const [one, other] = [aWorkload({ name: 'one', cells: [aCell('eu-1')] }), aWorkload({ name: 'other' })]
    const drawn = new HeatRows(new Set(), false, (name) => name)
    const groupOf = (workloads: (typeof one)[]) =>
      drawn.of(arrangeRows(workloads, 'namespace', { has: () => true })[0]!)
    const before = groupOf([one, other])
    expect(groupOf([one, other])).toBe(before)
    const changed = { ...other, cells: [aCell('eu-1', { desired: 1, ready: 1 })] }
    expect(groupOf([one, changed]).cells.get('eu-1')).toMatchObject({ desired: 5, ready: 5 })
  })

  it('sum the CPU of the clusters that report it', () => {
    const cpu = (allocated: number) => ({ allocatable: 1000, allocated, allocating: 0 })
    const columns = columnArranger()(
      [aCluster('a', { cpu: cpu(200) }), aCluster('b', { cpu: cpu(600) }), aCluster('c')],
      [],
    )
    expect(cpuShare(columns)).toBe(0.4)
    expect(cpuShare(columns.slice(2))).toBeUndefined()
  })
})

describe('folding', () => {
  const folding = (address: Record<string, string>, isClosedByDefault: boolean) =>
    foldingOf({ get: (name) => address[name], isClosedByDefault, closedIn: 'closed', openIn: 'open' })

  it('lists the collapsed groups, or the expanded ones if all others are collapsed', () => {
    expect(folding({ closed: 'shop' }, false).closed.has('shop')).toBe(true)
    expect(folding({ closed: 'shop' }, true).closed.has('lab')).toBe(true)
    expect(folding({ open: 'shop' }, true).closed.has('shop')).toBe(false)
  })

  it('expands groups that it collapsed, for any name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (name, byDefault) => {
        const toggle = (address: Record<string, string>) =>
          folding(address, byDefault).toggled(name) as Record<string, string>
        const once = toggle({})
        expect(folding(once, byDefault).closed.has(name)).toBe(!byDefault)
        expect(folding(toggle(once), byDefault).closed.has(name)).toBe(byDefault)
      }),
    )
  })
})
