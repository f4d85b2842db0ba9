import { describe, expect, test } from 'vitest'
import {
  HELD_PLACED_ANNOTATION,
  QUEUE_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_BY_POLICY_ANNOTATION,
  SUSPENSION_WRITER_ANNOTATION,
} from '../../kube/names'
import { type Binding, buildBinding, mergeSuspension, type Policy } from '.'

const meta = { uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' }
const policy = (suspension?: object): Policy => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: {
    ...meta,
    name: 'all',
    namespace: 'shop',
    labels: { 'propagationpolicy.karmada.io/permanent-id': 'policy-id' },
  },
  spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], ...(suspension && { suspension }) },
})
const suspending = policy({ scheduling: true })
const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop', uid: 'u' }
interface Given {
  scheduling?: boolean
  notes?: Record<string, string>
  placed?: boolean
  managers?: string[]
}
const binding = ({ scheduling, notes, placed, managers }: Given): Binding => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: {
    ...meta,
    name: 'web-deployment',
    namespace: 'shop',
    ...(notes && { annotations: notes }),
    ...(managers && {
      managedFields: managers.map((manager) => ({
        manager,
        time: meta.creationTimestamp,
        fieldsV1: { 'f:spec': { 'f:suspension': { 'f:scheduling': {} } } },
      })),
    }),
  },
  spec: {
    resource,
    ...(scheduling !== undefined && { suspension: { scheduling } }),
    ...(placed && { clusters: [{ name: 'm1', replicas: 1 }] }),
  },
})
const mark = { [SUSPENDED_BY_POLICY_ANNOTATION]: 'PropagationPolicy shop/all' }
const queued = { [QUEUE_ANNOTATION]: 'shop/line' }
const byAnn = { [SUSPENDED_BY_ANNOTATION]: 'ann 2026-01-01T00:00:00Z' }

describe('scheduling of an existing binding', () => {
  test.each<[string, Policy, Given, ReturnType<typeof mergeSuspension>]>([
    [
      'free, and the policy suspends',
      suspending,
      {},
      { suspension: { scheduling: true }, notes: mark, tooLate: false },
    ],
    [
      'resumed by hand, and the policy suspends',
      suspending,
      { scheduling: false, notes: mark },
      { suspension: { scheduling: true }, notes: mark, tooLate: false },
    ],
    [
      'in a queue, and the policy suspends',
      suspending,
      { scheduling: true, notes: queued },
      { suspension: { scheduling: true }, notes: mark, tooLate: false },
    ],
    [
      'placed, and the policy suspends',
      suspending,
      { placed: true },
      { suspension: undefined, notes: {}, tooLate: true },
    ],
    [
      'placed and held by its queue, and the policy suspends',
      suspending,
      { placed: true, scheduling: true, notes: { ...queued, [HELD_PLACED_ANNOTATION]: 'shop/line' } },
      { suspension: { scheduling: true }, notes: {}, tooLate: true },
    ],
    [
      'suspended by the policy, which lifts it',
      policy(),
      { scheduling: true, notes: mark },
      { suspension: undefined, notes: { [SUSPENDED_BY_POLICY_ANNOTATION]: undefined }, tooLate: false },
    ],
    [
      'suspended by the policy alone, by a loop of ours',
      policy({}),
      { scheduling: true, notes: mark, managers: ['evenkeel'] },
      { suspension: {}, notes: { [SUSPENDED_BY_POLICY_ANNOTATION]: undefined }, tooLate: false },
    ],
    [
      'suspended by the policy and its queue',
      policy(),
      { scheduling: true, notes: { ...mark, ...queued } },
      { suspension: { scheduling: true }, notes: { [SUSPENDED_BY_POLICY_ANNOTATION]: undefined }, tooLate: false },
    ],
    [
      'suspended by the policy, and its queue released it before',
      policy(),
      { scheduling: true, notes: { ...mark, ...queued, 'queue.evenkeel.io/released-at': meta.creationTimestamp } },
      { suspension: undefined, notes: { [SUSPENDED_BY_POLICY_ANNOTATION]: undefined }, tooLate: false },
    ],
    [
      'suspended by the policy and a person',
      policy(),
      { scheduling: true, notes: { ...mark, ...byAnn } },
      { suspension: { scheduling: true }, notes: { [SUSPENDED_BY_POLICY_ANNOTATION]: undefined }, tooLate: false },
    ],
    [
      'suspended by the policy and, before, with kubectl',
      policy(),
      { scheduling: true, notes: mark, managers: ['kubectl-patch'] },
      { suspension: { scheduling: true }, notes: { [SUSPENDED_BY_POLICY_ANNOTATION]: undefined }, tooLate: false },
    ],
    [
      'suspended by a person only',
      policy(),
      { scheduling: true, notes: byAnn },
      { suspension: { scheduling: true }, notes: {}, tooLate: false },
    ],
    [
      'released by its queue',
      policy({ dispatching: true }),
      { scheduling: false },
      { suspension: { dispatching: true, scheduling: false }, notes: {}, tooLate: false },
    ],
  ])('that is %s', (_case, by, given, expected) => {
    expect(mergeSuspension({ policy: by, existing: binding(given) })).toEqual(expected)
  })
})

describe('a binding that was deleted', () => {
  test.each<[string, Given, object | undefined, object]>([
    ['suspended by a person comes back so', { scheduling: true, notes: byAnn }, { scheduling: true }, byAnn],
    [
      'suspended with kubectl comes back so',
      { scheduling: true, managers: ['kubectl-edit'] },
      { scheduling: true },
      { [SUSPENSION_WRITER_ANNOTATION]: `kubectl-edit ${meta.creationTimestamp}` },
    ],
    ['pending in a queue comes back so', { scheduling: true, notes: queued }, { scheduling: true }, queued],
    [
      'held by its queue while placed comes back pending',
      { scheduling: true, placed: true, notes: { ...queued, [HELD_PLACED_ANNOTATION]: 'shop/line' } },
      { scheduling: true },
      queued,
    ],
    [
      'released by its queue comes back free',
      { scheduling: false, notes: { ...queued, 'queue.evenkeel.io/released-at': meta.creationTimestamp } },
      undefined,
      {},
    ],
    ['suspended by a policy that does so no more comes back free', { scheduling: true, notes: mark }, undefined, {}],
  ])('%s', (_case, given, suspension, notes) => {
    expect(mergeSuspension({ policy: policy(), lost: binding(given) })).toEqual({ suspension, notes, tooLate: false })
  })
})

test('building it again changes nothing', () => {
  const template = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...meta, name: 'web', namespace: 'shop' } }
  const draft = buildBinding({ template, policy: suspending })
  const existing = { ...draft, metadata: { ...draft.metadata, ...meta } } as Binding
  expect(buildBinding({ template, policy: suspending, existing })).toEqual(existing)
  const lifted = buildBinding({ template, policy: policy(), existing })
  expect([lifted.spec.suspension, lifted.metadata.annotations?.[SUSPENDED_BY_POLICY_ANNOTATION]]).toEqual([
    undefined,
    undefined,
  ])
})
