import { expect, test } from 'vitest'
import { premiseBody, readPremise, withAmount, writeAmounts } from './premise'

const WEB = 'apps~v1/Deployment/shop/web'

test('capacities and replicas are read from the address, and written back', () => {
  const parameters: Record<string, string> = { capacity: 'eu-1~50,eu-2~0', replicas: `${WEB}~7` }
  const premise = readPremise((name) => parameters[name])
  expect(premiseBody(premise)).toEqual({
    capacity: [
      { cluster: 'eu-1', percent: 50 },
      { cluster: 'eu-2', percent: 0 },
    ],
    replicas: [{ workload: WEB, replicas: 7 }],
  })
  expect(writeAmounts(premise.capacity)).toBe('eu-1~50,eu-2~0')
  expect(writeAmounts(withAmount(premise.replicas, WEB, undefined))).toBeUndefined()
})

test.each(['eu-1', 'eu-1~', '~5', 'eu-1~-5', 'eu-1~5.5', 'eu-1~1001', 'eu-1~99999999'])('%s is no capacity', (text) => {
  expect(premiseBody(readPremise((name) => (name === 'capacity' ? text : undefined)))).toEqual({})
})
