import { describe, expect, it } from 'vitest'
import { type KubeError } from '../errors'
import { clusterResourceBinding, resourceBinding } from '../kinds'
import { apiVersionOf } from '../kind'
import { HELD_PLACED_ANNOTATION } from '../names'
import type { UnknownObject } from '../object'
import { strategyOf } from '../strategy'

const kinds = [resourceBinding, clusterResourceBinding]
const context = { now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }

interface State {
  suspension?: object
  clusters?: { name: string; replicas: number }[]
  conditions?: { type: string; status: string }[]
  annotations?: Record<string, string>
}

const placed: State = { clusters: [{ name: 'member1', replicas: 1 }] }
const scheduledNowhere: State = { conditions: [{ type: 'Scheduled', status: 'True' }] }
const refusedBefore: State = { conditions: [{ type: 'Scheduled', status: 'False' }] }
const paused: State = { suspension: { scheduling: true } }
const released: State = { suspension: { scheduling: false } }
const acknowledged: State = { annotations: { [HELD_PLACED_ANNOTATION]: 'shop/line' } }

/** What an update from `before` to `after` is answered with; `undefined` when it is stored. */
function answer(kind: (typeof kinds)[number], states: { before: State; after: State; upstream?: boolean }): KubeError | undefined {
  const objectOf = ({ suspension, clusters, conditions, annotations }: State): UnknownObject => ({
    apiVersion: apiVersionOf(kind), kind: kind.kind,
    metadata: {
      name: 'web', uid: 'u', resourceVersion: '1', creationTimestamp: context.now, generation: 1,
      ...(kind.scope === 'Namespaced' && { namespace: 'shop' }), ...(annotations && { annotations }),
    },
    spec: { resource: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }, conflictResolution: 'Abort', ...(suspension && { suspension }), ...(clusters && { clusters }) },
    ...(conditions && { status: { conditions: conditions.map((one) => ({ reason: 'R', message: '', lastTransitionTime: context.now, ...one })) } }),
  })
  try {
    strategyOf(kind as typeof resourceBinding).update(objectOf(states.after), objectOf(states.before), { ...context, ...(states.upstream && { upstream: true }) })
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
    ['dispatching is suspended everywhere and in one cluster at once, as upstream admits', placed,
      { ...placed, suspension: { dispatching: true, dispatchingOnClusters: { clusterNames: ['member1'] } } }],
  ])('may change when %s', (_case, before, after) => {
    expect(answer(kind, { before, after })).toBeUndefined()
  })
})
