import { expect, test } from 'vitest'
import { premiseBody, readPremise, withAmount, writeAdded, writeAmounts, writePolicies } from './premise'

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

test('new clusters and edits of policies are read from the address, and written back', () => {
  const parameters: Record<string, string> = {
    added: 'eu-9~eu-1,alone',
    policies: 'shop/web~allow~eu-9,everywhere~exclude~eu-2,shop/web~rename~eu-9',
  }
  const premise = readPremise((name) => parameters[name])
  expect(premiseBody(premise)).toEqual({
    added: [{ name: 'eu-9', like: 'eu-1' }],
    policies: [
      { policy: 'shop/web', edit: 'allow', cluster: 'eu-9' },
      { policy: 'everywhere', edit: 'exclude', cluster: 'eu-2' },
    ],
  })
  expect(writeAdded(premise.added)).toBe('eu-9~eu-1')
  expect(writePolicies(premise.policies)).toBe('shop/web~allow~eu-9,everywhere~exclude~eu-2')
})

test('a whole placement is read from the address, and written back', () => {
  const placement = { clusterAffinity: { clusterNames: ['eu-1', 'eu-2'] }, note: '~,ü/?' }
  const policies = writePolicies([
    { policy: 'shop/web', placement },
    { policy: 'all', edit: 'allow', cluster: 'eu-1' },
  ])
  expect(policies).toMatch(/^shop\/web~placement~[\w-]+,all~allow~eu-1$/)
  const premise = readPremise((name) => (name === 'policies' ? policies : undefined))
  expect(premiseBody(premise)).toEqual({
    policies: [
      { policy: 'shop/web', placement },
      { policy: 'all', edit: 'allow', cluster: 'eu-1' },
    ],
  })
  for (const broken of ['shop/web~placement~!', 'shop/web~placement~e30e', 'shop/web~placement~MQ'])
    expect(premiseBody(readPremise((name) => (name === 'policies' ? broken : undefined)))).toEqual({})
})

test.each(['eu-1', 'eu-1~', '~5', 'eu-1~-5', 'eu-1~5.5', 'eu-1~1001', 'eu-1~99999999'])('%s is no capacity', (text) => {
  expect(premiseBody(readPremise((name) => (name === 'capacity' ? text : undefined)))).toEqual({})
})
