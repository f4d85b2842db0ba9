import { describe, expect, test } from 'vitest'
import { activityQueryOf, objectHref, parseResult } from './activity-words'

const now = Date.UTC(2026, 10, 21, 9, 30, 40)

describe('the filter of the activity', () => {
  test.each<[string, object, string[]]>([
    ['', {}, []],
    ['user=jane', { user: 'jane' }, []],
    ['main', { object: 'main' }, []],
    ['object=queue/lab/main user=jane', { object: 'queue/lab/main', user: 'jane' }, []],
    ['since=2h', { since: '2026-11-21T07:30:00.000Z' }, []],
    ['since=15m', { since: '2026-11-21T09:15:00.000Z' }, []],
    ['since=yesterday', {}, ['since=yesterday']],
    ['-user=jane color=red', {}, ['-user=jane', 'color=red']],
    ['user=', {}, ['user=']],
    ['user=a user=b', { user: 'b' }, []],
  ])('"%s" asks the server', (filter, query, unknown) => {
    expect(activityQueryOf(filter, now)).toEqual({ query, unknown })
  })
})

test.each([
  ['accepted', 'accepted'],
  ['refused', 'refused'],
  ['gone', undefined],
  [undefined, undefined],
])('the result %s is %s', (text, result) => {
  expect(parseResult(text)).toBe(result)
})

test.each([
  ['Cluster', undefined, 'm1', '/clusters?cluster=m1'],
  ['Queue', 'lab', 'main', '/queues/detail?queue=lab/main'],
  ['RebalancePlan', undefined, 'p', '/rebalancers/plan?name=p'],
  ['WorkloadRebalancer', undefined, 'r', '/rebalancers/detail?name=r'],
  ['ResourceBinding', 'lab', 'web-api-deployment', '/workloads?q=ns=lab+web-api'],
  ['User', undefined, 'jane', undefined],
])('an object of kind %s is shown at its page', (kind, namespace, name, address) => {
  expect(objectHref({ apiVersion: 'v1', kind, name, ...(namespace !== undefined && { namespace }) })).toBe(address)
})
