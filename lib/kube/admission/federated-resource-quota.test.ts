import { describe, expect, it } from 'vitest'
import { federatedResourceQuota } from '../kinds'
import { apiVersionOf } from '../kind'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

const context = { namespace: 'ns', now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }

function create(spec: object, metadata: object = {}): UnknownObject {
  const object = {
    apiVersion: apiVersionOf(federatedResourceQuota),
    kind: federatedResourceQuota.kind,
    metadata: { name: 'quota', namespace: 'ns', ...metadata },
    spec,
  }
  return strategyOf(federatedResourceQuota).create(object as unknown as UnknownObject, context)
}

const on = (clusterName: string, hard: object) => ({ clusterName, hard })
const DENIED = 'admission webhook "federatedresourcequota.karmada.io" denied the request: '
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
  + "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
  + "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

describe('a FederatedResourceQuota', () => {
  it.each<[string, object]>([
    ['limits what pods ask for', { overall: { cpu: '4', memory: '8Gi', 'ephemeral-storage': 1 } }],
    ['limits devices', { overall: { 'nvidia.com/gpu': '2', 'hugepages-2Mi': '1Gi' } }],
    ['limits nothing', { overall: {} }],
    [
      'is shared out completely',
      { overall: { cpu: 4 }, staticAssignments: [on('a', { cpu: '3' }), on('b', { cpu: '1000m' })] },
    ],
  ])('is accepted when it %s', (_, spec) => {
    expect(create(spec).spec).toEqual(spec)
  })

  it.each<[string, object, string]>([
    [
      'an unknown resource',
      { overall: { gold: '1' } },
      '[spec.overall[gold]: Invalid value: "gold": must be a standard resource type or fully qualified, '
        + 'spec.overall[gold]: Invalid value: "gold": must be a standard resource for quota]',
    ],
    [
      'a resource that quotas do not count',
      { overall: { storage: '1Gi' } },
      'spec.overall[storage]: Invalid value: "storage": must be a standard resource for quota',
    ],
    [
      'a negative amount',
      { overall: { cpu: '-1' } },
      '[spec.overall[cpu]: Invalid value: "-1": must be greater than or equal to 0, '
        + 'spec.overall[cpu]: Invalid value: "-1": overall is less than assignments]',
    ],
    ['half a pod', { overall: { pods: '1500m' } }, 'spec.overall[pods]: Invalid value: "1500m": must be an integer'],
    [
      'a share without a cluster',
      { overall: {}, staticAssignments: [on('', {})] },
      'spec.staticAssignments[0].clusterName: Invalid value: "": must be not empty',
    ],
    [
      'a cluster that cannot be called so',
      { overall: {}, staticAssignments: [on('A', {})] },
      `spec.staticAssignments[0].clusterName: Invalid value: "A": ${LABEL_RULE}`,
    ],
    [
      'a cluster with a long name',
      { overall: {}, staticAssignments: [on('c'.repeat(49), {})] },
      `spec.staticAssignments[0].clusterName: Invalid value: "${'c'.repeat(49)}": must be no more than 48 characters`,
    ],
    [
      'larger shares than there is',
      { overall: { cpu: '4000m' }, staticAssignments: [on('a', { cpu: '3' }), on('b', { cpu: '2' })] },
      'spec.overall[cpu]: Invalid value: "4": overall is less than assignments',
    ],
    [
      'a share of something else',
      { overall: { cpu: '4' }, staticAssignments: [on('a', { memory: '1Gi' })] },
      'spec.staticAssignments[0].hard[memory]: Invalid value: "memory": assignment resourceName is not exist in overall',
    ],
  ])('is refused for %s', (_, spec, problem) => {
    expect(() => create(spec)).toThrow(expect.objectContaining({ code: 403, message: DENIED + problem }) as Error)
  })

  it('has a name that fits into a label', () => {
    const name = 'q'.repeat(64)
    expect(() => create({ overall: {} }, { name })).toThrow(
      `${DENIED}metadata.name: Invalid value: "${name}": must be no more than 63 characters`,
    )
  })

  it('has amounts that can be read', () => {
    expect(() => create({ overall: { cpu: 'much' } })).toThrow(expect.objectContaining({ code: 422 }) as Error)
  })
})
