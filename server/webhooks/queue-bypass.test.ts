import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileMatchCondition, judgeConditions } from '@/lib/kube/admission-webhooks/match-conditions'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import { aBinding } from '@/lib/testing/builders'
import { validatingConfiguration } from './configurations'
import { queueBypass } from './queue-bypass'

const on = [{ name: 'member1', replicas: 1 }]
const binding = (spec: object, annotations?: Record<string, string>): ResourceBinding =>
  aBinding('web', { namespace: 'shop', spec, metadata: { annotations } }) as unknown as ResourceBinding
const waiting = { suspension: { scheduling: true } }

describe('out of turn is', () => {
  test.each<[string, { object: object; old?: object; isHeld?: boolean; field?: string }]>([
    ['freeing what waits', { object: {}, old: waiting, field: 'spec.suspension.scheduling' }],
    [
      'freeing what runs, of a held queue',
      {
        object: { clusters: on },
        old: { ...waiting, clusters: on },
        isHeld: true,
        field: 'spec.suspension.scheduling',
      },
    ],
    ['not freeing what runs, of another', { object: { clusters: on }, old: { ...waiting, clusters: on } }],
    ['placing what waits', { object: { ...waiting, clusters: on }, old: waiting, field: 'spec.clusters' }],
    ['not placing what was let go', { object: { clusters: on }, old: {}, isHeld: true }],
    [
      'not moving what runs',
      {
        object: { ...waiting, clusters: [...on, { name: 'member2' }] },
        old: { ...waiting, clusters: on },
        isHeld: true,
      },
    ],
    ['asking for less while it waits', { object: { ...waiting, replicas: 0 }, old: waiting, field: 'spec.replicas' }],
    ['not being scaled where it runs', { object: { clusters: on, replicas: 9 }, old: { clusters: on } }],
    ['not suspending what is free', { object: waiting, old: {}, isHeld: true }],
    ['making what does not wait', { object: {}, field: 'spec' }],
    ['not making what waits', { object: waiting, isHeld: true }],
  ])('%s', (_case, { object, old, isHeld = false, field }) => {
    expect(queueBypass({ object: binding(object), old: old && binding(old) }, isHeld)?.field).toBe(field)
  })
})

test('the API server sends every write that bypasses the queue', () => {
  const [condition] = validatingConfiguration({
    url: 'https://here',
    cert: '',
    failurePolicy: 'Fail',
    namespaces: ['shop'],
    refuseLateSuspension: false,
  }).webhooks!.find(({ name }) => name === 'release.queue.evenkeel.io')!.matchConditions!
  const program = compileMatchCondition(condition!.expression)
  if (!program.ok) throw new Error(program.error)
  const part = fc.record({
    suspension: fc.constantFrom(undefined, {}, { scheduling: true }, { scheduling: false }),
    clusters: fc.constantFrom(undefined, [], on),
    replicas: fc.constantFrom(undefined, 0, 3),
    placement: fc.constantFrom(undefined, {}, { clusterAffinity: {} }),
    schedulePriority: fc.constantFrom(undefined, { priority: 1 }),
    requiredBy: fc.constantFrom(undefined, [], [{ namespace: 'shop', name: 'a', clusters: on }]),
    resource: fc.constantFrom(
      { kind: 'Deployment', name: 'web' },
      { kind: 'Job', name: 'web' },
      { kind: 'Deployment', name: 'b' },
    ),
  })
  const notes = fc.constantFrom(
    undefined,
    {},
    { 'queue.evenkeel.io/release-requested': 'x' },
    { 'queue.evenkeel.io/undone': '' },
    { mine: 'x' },
  )
  const state = fc
    .tuple(part, notes)
    .map(
      ([spec, annotations]) =>
        JSON.parse(JSON.stringify({ metadata: { name: 'web', annotations }, spec })) as ResourceBinding,
    )
  fc.assert(
    fc.property(state, fc.option(state, { nil: undefined }), fc.boolean(), (object, old, isHeld) => {
      const request = { operation: old ? 'UPDATE' : 'CREATE' }
      const verdict = judgeConditions([program.value], { object, oldObject: old ?? null, request })
      expect(verdict.errors).toBeUndefined()
      if (queueBypass({ object, old }, isHeld)) expect(verdict.matches).toBe(true)
    }),
    { seed: 7, numRuns: 500 },
  )
})
