import { describe, expect, it } from 'vitest'
import { aCell, aCluster, aWorkload } from '../heat/testing/fleets'
import { columnArranger } from '../matrix-model'
import { fleetCsv } from './csv'

describe('comma-separated values', () => {
  it('have a line for each workload in each cluster, in order', () => {
    const workloads = [
      aWorkload({ name: 'web', cells: [aCell('eu-1', { desired: 3, ready: 2 }), aCell('us-1', { desired: 1 })] }),
      aWorkload({ name: 'none' }),
    ]
    const columns = columnArranger()([aCluster('eu-1', { region: 'eu' }), aCluster('us-1')], workloads)
    expect(fleetCsv(workloads, columns).split('\r\n')).toEqual([
      'namespace,kind,name,state,cluster,region,role,desired,current,ready,unknown,old',
      'pay,Deployment,web,ok,eu-1,eu,placed,3,3,2,0,0',
      'pay,Deployment,web,ok,us-1,,placed,1,1,1,0,0',
      'pay,Deployment,none,ok,,,,0,0,0,0,0',
      '',
    ])
  })
})
