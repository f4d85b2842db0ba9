import { describe, expect, it } from 'vitest'
import { invalidError } from './field-error'
import { workloadRebalancer } from './kinds/workload-rebalancer'
import { propagationPolicy } from './kinds/propagation-policy'
import { array, int32, intOrString, map, object, oneOf, string, time, boolean, anything, quantity } from './schema'
import { applyDefaults } from './schema-default'
import { pruneUnknown } from './schema-prune'
import { validateSchema } from './schema-validate'

const schema = object({
  color: oneOf(['red', 'blue']),
  flag: boolean(),
  m: map(int32()),
  name: string({ minLength: 2, maxLength: 5, pattern: '^[a-z]+$' }),
  port: intOrString(),
  cpu: quantity(),
  set: array(string(), { 'x-kubernetes-list-type': 'set' }),
  keyed: array(object({ name: string() }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
  size: int32({ minimum: 1, maximum: 10 }),
  tags: array(string(), { minItems: 1, maxItems: 3 }),
  when: time(),
  free: anything(),
  nothing: string({ nullable: true }),
})

describe('validation by schema', () => {
  it.each<[object, ...string[]]>([
    [{ color: 'green' }, 'spec.color: Unsupported value: "green": supported values: "red", "blue"'],
    [{ flag: 'x' }, 'spec.flag: Invalid value: "string": spec.flag in body must be of type boolean: "string"'],
    [{ m: { a: 'x' } }, 'spec.m.a: Invalid value: "string": spec.m.a in body must be of type integer: "string"'],
    [{ name: 'a' }, 'spec.name: Invalid value: "a": spec.name in body should be at least 2 chars long'],
    [{ name: 'abcdefg' }, 'spec.name: Too long: may not be more than 5 bytes'],
    [{ name: 'AB' }, 'spec.name: Invalid value: "AB": spec.name in body should match \'^[a-z]+$\''],
    [
      { port: true },
      'spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "spec.port" must validate at least one schema (anyOf)',
      'spec.port: Invalid value: "boolean": spec.port in body must be of type integer: "boolean"',
    ],
    [
      { port: 1.5 },
      'spec.port: Invalid value: "number": spec.port in body must be of type integer,string: "number"',
      '<nil>: Invalid value: "": "spec.port" must validate at least one schema (anyOf)',
      'spec.port: Invalid value: "number": spec.port in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.port',
    ],
    [{ size: 0 }, 'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'],
    [{ size: 11 }, 'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10'],
    [{ tags: [] }, 'spec.tags: Invalid value: 0: spec.tags in body should have at least 1 items'],
    [{ tags: ['a', 'b', 'c', 'd'] }, 'spec.tags: Too many: 4: must have at most 3 items'],
    [{ tags: null }, 'spec.tags: Invalid value: "null": spec.tags in body must be of type array: "null"'],
    [{ tags: [1] }, 'spec.tags[0]: Invalid value: "integer": spec.tags[0] in body must be of type string: "integer"'],
    [
      { when: 'yesterday' },
      'spec.when: Invalid value: "yesterday": spec.when in body must be of type date-time: "yesterday"',
    ],
  ])('%j: %s', (value, ...texts) => {
    expect(validateSchema(value, schema, 'spec').map(({ field, message }) => `${field}: ${message}`)).toEqual(texts)
  })

  it('accepts what fits', () => {
    const value = {
      color: 'red',
      port: '80',
      size: 3,
      when: '2026-01-02T03:04:05Z',
      nothing: null,
      free: { any: [1] },
      cpu: '1.5Gi',
    }
    expect(validateSchema(value, schema, 'spec')).toEqual([])
  })

  it('answers 422 with one cause for each finding', () => {
    const errors = validateSchema({ spec: { workloads: [{ kind: 'Deployment' }] } }, workloadRebalancer.schema)
    const { status } = invalidError(workloadRebalancer, 'demo', errors)
    expect(status.message).toBe(
      'WorkloadRebalancer.apps.karmada.io "demo" is invalid: '
        + '[spec.workloads[0].apiVersion: Required value, spec.workloads[0].name: Required value]',
    )
    expect(status.details).toMatchObject({ name: 'demo', group: 'apps.karmada.io', kind: 'WorkloadRebalancer' })
    expect(status.details?.causes).toHaveLength(2)
  })
})

describe('defaults by schema', () => {
  it('fill present objects only', () => {
    const policy = { spec: { resourceSelectors: [], placement: { replicaScheduling: {} }, priority: null } }
    expect(applyDefaults(policy, propagationPolicy.schema)).toEqual({
      spec: {
        resourceSelectors: [],
        placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } },
        priority: 0,
        conflictResolution: 'Abort',
        preemption: 'Never',
        schedulerName: 'default-scheduler',
      },
    })
  })

  it('leave a complete value as the same object', () => {
    const complete = applyDefaults({ spec: { resourceSelectors: [] } }, propagationPolicy.schema)
    expect(applyDefaults(complete, propagationPolicy.schema)).toBe(complete)
  })
})

describe('pruning by schema', () => {
  it('drops and names unknown fields', () => {
    const object = {
      metadata: { name: 'x', bogus: 1 },
      spec: { workloads: [{ kind: 'A', extra: 1 }], nope: 2 },
      zzz: 3,
    }
    expect(pruneUnknown(object, workloadRebalancer.schema)).toEqual({
      value: { metadata: { name: 'x' }, spec: { workloads: [{ kind: 'A' }] } },
      unknownFields: ['metadata.bogus', 'spec.workloads[0].extra', 'spec.nope', 'zzz'],
      inEmbedded: new Set(),
    })
  })
})
