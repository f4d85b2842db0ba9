import { describe, expect, it, test } from 'vitest'
import { KubeError } from '../errors'
import { clusterPropagationPolicy, propagationPolicy } from '../kinds'
import { apiVersionOf } from '../kind'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

const context = { namespace: 'ns', now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }

function create(failover: object, kind = propagationPolicy): UnknownObject {
  const object = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: 'x', ...(kind.scope === 'Namespaced' && { namespace: 'ns' }) },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
      placement: {},
      propagateDeps: true,
      failover,
    },
  }
  return strategyOf(kind).create(object as unknown as UnknownObject, context)
}

const failoverOf = (stored: UnknownObject) =>
  (stored.spec as { failover: { application?: object; cluster?: object } }).failover

function refusal(failover: object): string {
  try {
    create(failover)
    return ''
  } catch (error) {
    if (error instanceof KubeError) return error.message
    throw error
  }
}

describe('purge modes under the names that were proposed', () => {
  test.each([
    ['Immediately', { purgeMode: 'Immediately' }],
    ['Graciously', { purgeMode: 'Graciously', gracePeriodSeconds: 600 }],
    ['Gracefully', { purgeMode: 'Gracefully', gracePeriodSeconds: 600 }],
    ['Directly', { purgeMode: 'Directly' }],
    ['Never', { purgeMode: 'Never' }],
  ])('%s is stored as it was applied, with the defaults of its mode', (purgeMode, stored) => {
    const application = { decisionConditions: { tolerationSeconds: 5 }, purgeMode }
    for (const kind of [propagationPolicy, clusterPropagationPolicy]) {
      expect(failoverOf(create({ application }, kind)).application).toEqual({
        decisionConditions: { tolerationSeconds: 5 },
        blockPredecessorSeconds: 600,
        ...stored,
      })
    }
  })

  it('holds for clusters, too', () => {
    expect(failoverOf(create({ cluster: { purgeMode: 'Immediately' } })).cluster).toEqual({ purgeMode: 'Immediately' })
  })

  it('does not help what is no mode', () => {
    expect(refusal({ application: { decisionConditions: {}, purgeMode: 'Later' } })).toContain(
      'Unsupported value: "Later": supported values: "Directly", "Gracefully", "Never", "Immediately", "Graciously"',
    )
    expect(refusal({ application: { purgeMode: 'Never' } })).toContain(
      'spec.failover.application.decisionConditions: Required value',
    )
  })
})

describe('allowed rules', () => {
  const application = (rule: object) => ({
    application: { decisionConditions: { tolerationSeconds: 5 }, purgeMode: 'Directly', ...rule },
  })

  test.each([
    [
      'a negative delay',
      { preConditions: { delaySeconds: -1 } },
      'spec.failover.application.preConditions.delaySeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'a negative block',
      { blockPredecessorSeconds: -1 },
      'spec.failover.application.blockPredecessorSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'a negative toleration',
      { decisionConditions: { tolerationSeconds: -1 } },
      'spec.failover.application.decisionConditions.tolerationSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'a grace for what goes at once',
      { gracePeriodSeconds: 5 },
      'spec.failover.application.gracePeriodSeconds: Invalid value: 5: only takes effect when purgeMode is gracefully',
    ],
    [
      'another state to begin with',
      { preConditions: { healthyState: 'Unhealthy' } },
      'spec.failover.application.preConditions.healthyState: Unsupported value: "Unhealthy"',
    ],
    [
      'health as a failure',
      { decisionConditions: { healthyState: ['Healthy'] } },
      'spec.failover.application.decisionConditions.healthyState[0]: Unsupported value: "Healthy"',
    ],
  ])('not %s', (...row) => {
    const [, rule, expected] = row
    expect(refusal(application(rule))).toContain(expected)
  })

  it('zero means something', () => {
    const rule = {
      preConditions: { delaySeconds: 0 },
      blockPredecessorSeconds: 0,
      decisionConditions: { tolerationSeconds: 0 },
    }
    expect(failoverOf(create(application(rule))).application).toMatchObject(rule)
  })
})
