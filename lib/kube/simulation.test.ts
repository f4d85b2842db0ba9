import { describe, expect, test } from 'vitest'
import { validateSimulation } from './simulation'

const findings = (annotations: Record<string, string>): string[] =>
  validateSimulation({
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'm', annotations },
  } as never).map(({ field, message }) => `${field}: ${message}`)

describe('the annotations of a simulated member', () => {
  test.each<[Record<string, string>]>([
    [{}],
    [{ 'sim.evenkeel.io/nodes': '0', 'sim.evenkeel.io/state': 'down' }],
    [
      {
        'sim.evenkeel.io/nodes': '3',
        'sim.evenkeel.io/node-cpu': '500m',
        'sim.evenkeel.io/node-memory': '1Gi',
        'sim.evenkeel.io/ready-after': '1.5s',
      },
    ],
    [{ 'sim.evenkeel.io/unhealthy': 'shop/web, shop/db' }],
    [{ 'sim.evenkeel.io/unhealthy': '' }],
  ])('%j is fine', (annotations) => expect(findings(annotations)).toEqual([]))

  test.each([
    ['state', 'dwon', 'Unsupported value: "dwon": supported values: "up", "down"'],
    ['nodes', 'many', 'Invalid value: "many": must be a whole number from 0 to 1000'],
    ['nodes', '-1', 'Invalid value: "-1": must be a whole number from 0 to 1000'],
    ['nodes', '1001', 'Invalid value: "1001": must be a whole number from 0 to 1000'],
    ['node-cpu', '0', 'Invalid value: "0": must be a quantity greater than 0, for example 8 or 500m'],
    ['node-memory', 'much', 'Invalid value: "much": must be a quantity greater than 0, for example 32Gi'],
    ['ready-after', '5', 'Invalid value: "5": must be a duration in ms, s, m or h, for example 2s'],
    ['unhealthy', 'web', 'Invalid value: "web": must be namespace/name, several of them separated by commas'],
  ])('%s=%s is refused with its field', (name, text, message) =>
    expect(findings({ [`sim.evenkeel.io/${name}`]: text })).toEqual([
      `metadata.annotations[sim.evenkeel.io/${name}]: ${message}`,
    ]),
  )
})
