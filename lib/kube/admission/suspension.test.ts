import { describe, expect, it } from 'vitest'
import { type KubeError } from '../errors'
import { clusterPropagationPolicy, clusterResourceBinding, propagationPolicy, resourceBinding } from '../kinds'
import { apiVersionOf } from '../kind'
import { HELD_PLACED_ANNOTATION, SUSPENDED_BY_POLICY_ANNOTATION, SUSPENSION_WRITER_ANNOTATION } from '../names'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

const kinds = [resourceBinding, clusterResourceBinding]
const context = { now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }

interface State {
  suspension?: object
  clusters?: { name: string; replicas: number }[]
  conditions?: { type: string; status: string }[]
  annotations?: Record<string, string>
  labels?: Record<string, string>
}

const placed: State = { clusters: [{ name: 'member1', replicas: 1 }] }
const scheduledNowhere: State = { conditions: [{ type: 'Scheduled', status: 'True' }] }
const refusedBefore: State = { conditions: [{ type: 'Scheduled', status: 'False' }] }
const paused: State = { suspension: { scheduling: true } }
const released: State = { suspension: { scheduling: false } }
const acknowledged: State = { annotations: { [HELD_PLACED_ANNOTATION]: 'shop/line' } }

/** What an update from `before` to `after` is answered with; `undefined` when it is stored. */
function answer(
  kind: (typeof kinds)[number],
  states: { before: State; after: State; upstream?: boolean },
): KubeError | undefined {
  const objectOf = ({ suspension, clusters, conditions, annotations, labels }: State): UnknownObject => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name: 'web',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: context.now,
      generation: 1,
      ...(kind.scope === 'Namespaced' && { namespace: 'shop' }),
      ...(annotations && { annotations }),
      ...(labels && { labels }),
    },
    spec: {
      resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
      conflictResolution: 'Abort',
      ...(suspension && { suspension }),
      ...(clusters && { clusters }),
    },
    ...(conditions && {
      status: {
        conditions: conditions.map((one) => ({ reason: 'R', message: '', lastTransitionTime: context.now, ...one })),
      },
    }),
  })
  try {
    strategyOf(kind as typeof resourceBinding).update(objectOf(states.after), objectOf(states.before), {
      ...context,
      ...(states.upstream && { upstream: true }),
    })
    return undefined
  } catch (error) {
    return error as KubeError
  }
}

describe.each(kinds.map((kind) => [kind.kind, kind] as const))('scheduling of a %s', (_name, kind) => {
  it.each<[string, State, State]>([
    ['has clusters', placed, { ...placed, ...paused }],
    ['was scheduled with no replicas', scheduledNowhere, { ...scheduledNowhere, ...paused }],
    ['says that it is not suspended', { ...placed, ...released }, { ...placed, ...paused }],
    ['loses its clusters in the same write', placed, paused],
  ])('cannot be suspended when it %s', (_case, before, after) => {
    const refused = answer(kind, { before, after })
    expect(refused?.code).toBe(403)
    expect(refused?.message).toMatch(
      /^admission webhook "suspension\.evenkeel\.io" denied the request: spec\.suspension\.scheduling: this binding has been scheduled already.*hold its queue/,
    )
    expect(answer(kind, { before, after, upstream: true })).toBeUndefined()
  })

  it.each<[string, State, State]>([
    ['it never was scheduled', {}, paused],
    ['no cluster fitted', refusedBefore, { ...refusedBefore, ...paused }],
    ['a hold acknowledges that it is placed', placed, { ...placed, ...paused, ...acknowledged }],
    ['it is suspended already', { ...placed, ...paused }, { ...placed, ...paused, annotations: { note: 'x' } }],
    ['it is resumed', { ...placed, ...paused }, { ...placed, ...released }],
    ['only dispatching is suspended', placed, { ...placed, suspension: { dispatching: true } }],
    [
      'dispatching is suspended everywhere and in one cluster at once, as upstream admits',
      placed,
      { ...placed, suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: ['member1'] } } },
    ],
  ])('may change when %s', (_case, before, after) => {
    expect(answer(kind, { before, after })).toBeUndefined()
  })
})

describe.each(kinds.map((kind) => [kind.kind, kind] as const))('a %s that its policy suspends', (_name, kind) => {
  const note = { [SUSPENDED_BY_POLICY_ANNOTATION]: 'PropagationPolicy shop/all' }
  const labels = { 'propagationpolicy.karmada.io/permanent-id': 'id' }
  const marked = { annotations: note, labels }

  it.each<[string, object | undefined]>([
    ['false', { scheduling: false }],
    ['gone', undefined],
  ])('is not resumed by scheduling that is %s', (_case, suspension) => {
    const refused = answer(kind, {
      before: { ...paused, ...marked },
      after: { ...marked, ...(suspension && { suspension }) },
    })
    expect(refused?.code).toBe(403)
    expect(refused?.message).toMatch(
      /spec\.suspension\.scheduling: PropagationPolicy shop\/all suspends .*Remove spec\.suspension\.scheduling from that policy/,
    )
  })

  it.each<[string, State, State]>([
    ['together with the note, as the detector does', { ...paused, ...marked }, { labels }],
    ['when no policy claims it', { ...paused, annotations: note }, { annotations: note }],
  ])('is resumed %s', (_case, before, after) => {
    expect(answer(kind, { before, after })).toBeUndefined()
  })
})

describe('the user who suspends', () => {
  const write = (before: State | undefined, after: State, writer: string | undefined) => {
    const objectOf = ({ suspension, annotations }: State): UnknownObject => ({
      apiVersion: apiVersionOf(resourceBinding),
      kind: 'ResourceBinding',
      metadata: {
        name: 'web',
        namespace: 'shop',
        uid: 'u',
        resourceVersion: '1',
        creationTimestamp: context.now,
        ...(annotations && { annotations }),
      },
      spec: { resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }, ...(suspension && { suspension }) },
    })
    const strategy = strategyOf(resourceBinding as typeof resourceBinding)
    const by = { ...context, ...(writer && { writer }) }
    const stored = before
      ? strategy.update(objectOf(after), objectOf(before), by)
      : strategy.create(objectOf(after), by)
    return stored.metadata.annotations?.[SUSPENSION_WRITER_ANNOTATION]
  }
  const byAnn = { annotations: { [SUSPENSION_WRITER_ANNOTATION]: 'ann (kubectl-patch) 2026-01-01T00:00:00Z' } }
  it.each<[string, string | undefined, State | undefined, State, string | undefined]>([
    ['is noted when the binding is changed', `ann (kubectl-patch) ${context.now}`, {}, paused, 'ann (kubectl-patch)'],
    [
      'is noted when the binding is created',
      `ann (kubectl-create) ${context.now}`,
      undefined,
      paused,
      'ann (kubectl-create)',
    ],
    [
      'stays noted when others write',
      'ann (kubectl-patch) 2026-01-01T00:00:00Z',
      { ...paused, ...byAnn },
      { ...paused, ...byAnn },
      'bob (kubectl-edit)',
    ],
    [
      'cannot be replaced by a note of others',
      'ann (kubectl-patch) 2026-01-01T00:00:00Z',
      { ...paused, ...byAnn },
      { ...paused, annotations: { [SUSPENSION_WRITER_ANNOTATION]: 'eve' } },
      'bob (kubectl-edit)',
    ],
    ['is no one among our own loops', undefined, {}, paused, undefined],
    [
      'is forgotten when scheduling is resumed',
      undefined,
      { ...paused, ...byAnn },
      { ...released, ...byAnn },
      'bob (kubectl-edit)',
    ],
    [
      'is not noted beside a queue that suspends',
      undefined,
      {},
      { ...paused, annotations: { 'queue.evenkeel.io/queue': 'shop/line' } },
      'queues',
    ],
  ])('%s', (...[, expected, before, after, writer]) => {
    expect(write(before, after, writer)).toBe(expected)
  })
})

describe.each(
  [propagationPolicy, clusterPropagationPolicy].map((kind) => [kind.kind, kind as typeof propagationPolicy] as const),
)('the suspension of a %s', (_name, kind) => {
  const policyWith = (suspension: object): UnknownObject => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name: 'all',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: context.now,
      ...(kind.scope === 'Namespaced' && { namespace: 'shop' }),
    },
    spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }], suspension },
  })
  const create = (suspension: object, upstream?: true) => {
    const options = {
      ...context,
      ...(kind.scope === 'Namespaced' && { namespace: 'shop' }),
      ...(upstream && { upstream }),
    }
    return strategyOf(kind).create(policyWith(suspension), options).spec
  }

  it.each([
    { scheduling: true },
    { dispatching: true, scheduling: true },
    { scheduling: true, dispatchingOnClusters: { clusterNames: ['a'] } },
    {},
  ])('may be %j', (suspension) => {
    expect(create(suspension)).toMatchObject({ suspension })
  })

  it.each(['dispatching', 'scheduling'])('accepts only true for %s', (field) => {
    expect(() => create({ [field]: false })).toThrow(
      `spec.suspension.${field}: Unsupported value: false: supported values: true`,
    )
    expect(create({ [field]: false }, true)).toMatchObject({ suspension: { [field]: false } })
  })
})
