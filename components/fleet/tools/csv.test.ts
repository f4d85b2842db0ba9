import { describe, expect, it } from 'vitest'
import fc from '@/lib/testing/properties'
import { aCell, aCluster, aWorkload } from '../heat/testing/fleets'
import { arrangeColumns } from '../matrix-model'
import { csvField, fleetCsv } from './csv'

/** A field as RFC 4180 reads it. */
const read = (field: string): string => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)

describe('comma-separated values', () => {
  it('have a line for each workload in each cluster, in order', () => {
    const workloads = [
      aWorkload({ name: 'web', cells: [aCell('eu-1', { desired: 3, ready: 2 }), aCell('us-1', { desired: 1 })] }),
      aWorkload({ name: 'none' }),
    ]
    const columns = arrangeColumns([aCluster('eu-1', { region: 'eu' }), aCluster('us-1')], workloads)
    expect(fleetCsv(workloads, columns).split('\r\n')).toEqual([
      'namespace,kind,name,state,cluster,region,role,desired,current,ready,unknown,old',
      'pay,Deployment,web,ok,eu-1,eu,placed,3,3,2,0,0',
      'pay,Deployment,web,ok,us-1,,placed,1,1,1,0,0',
      'pay,Deployment,none,ok,,,,0,0,0,0,0',
      '',
    ])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('make no formula of %j', (value) => {
    expect(read(csvField(value))).toBe(`'${value}`)
  })

  it('keep numbers as they are', () => {
    expect(csvField(-1)).toBe('-1')
  })

  it('are read back as they were, and no text is a formula', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const field = csvField(value)
        const back = read(field)
        expect(back === value || back === `'${value}`).toBe(true)
        expect(/^[=+\-@\t\r]/.test(back)).toBe(false)
        if (!field.startsWith('"')) expect(/[",\r\n]/.test(field)).toBe(false)
      }),
    )
  })
})
