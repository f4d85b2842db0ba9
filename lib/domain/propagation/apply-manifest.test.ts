import { describe, expect, test } from 'vitest'
import type { UnknownObject } from '../../kube/object'
import type { Manifest } from '../interpreter'
import { assessManifest, type Binding, disown, divideCompletions } from '.'

const manifest: Manifest = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  data: { a: '1' },
  metadata: {
    name: 'settings',
    namespace: 'shop',
    labels: { 'karmada.io/managed': 'true' },
    annotations: { 'work.karmada.io/conflict-resolution': 'abort' },
  },
}
const server = { uid: 'u', resourceVersion: '3', creationTimestamp: '2026-01-01T00:00:00Z' }
const theirs = { ...manifest, metadata: { name: 'settings', namespace: 'shop', ...server } } as UnknownObject
const ours = { ...manifest, metadata: { ...manifest.metadata, ...server } } as UnknownObject
const overwriting: Manifest = {
  ...manifest,
  metadata: { ...manifest.metadata, annotations: { 'work.karmada.io/conflict-resolution': 'overwrite' } },
}

describe('a manifest in a member', () => {
  test.each([
    ['is created where it is missing', manifest, undefined, 'create'],
    ['is left alone where it is as wanted', manifest, ours, 'nothing'],
    ['is put right where it differs', manifest, { ...ours, data: { a: '2' } }, 'update'],
    ['is refused where the member has an unmanaged object of that name', manifest, theirs, 'refuse'],
    ['takes over an unmanaged object under the strategy overwrite', overwriting, theirs, 'update'],
  ])('%s', (_name, wanted, observed, act) => {
    expect(assessManifest(wanted, observed, 'member1').act).toBe(act)
  })

  test('is sent with the observed version', () => {
    const verdict = assessManifest(manifest, { ...ours, data: {} }, 'member1')
    expect(verdict).toMatchObject({ act: 'update', object: { metadata: { resourceVersion: '3' } } })
  })

  test('is refused with the names of the object and the cluster', () => {
    expect(assessManifest(manifest, theirs, 'member1')).toEqual({
      act: 'refuse',
      message:
        'resource(kind=ConfigMap, shop/settings) already exists in the cluster member1 and the '
        + 'work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource',
    })
  })
})

test("a disowned object keeps its own fields and none of the control plane's marks", () => {
  const marked = {
    ...ours,
    metadata: {
      ...ours.metadata,
      labels: { ...ours.metadata.labels, app: 'x' },
      annotations: { note: 'y', 'work.karmada.io/name': 'w' },
    },
  }
  expect(disown(marked).metadata).toEqual({ ...theirs.metadata, labels: { app: 'x' }, annotations: { note: 'y' } })
})

describe('completions of a Job', () => {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'sum', ...server },
    spec: { completions: 10 },
  } as UnknownObject
  const binding = (type: 'Divided' | 'Duplicated'): Binding => ({
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: 'sum-job', namespace: 'shop', ...server },
    spec: {
      resource: { apiVersion: 'batch/v1', kind: 'Job', name: 'sum' },
      replicas: 4,
      placement: { replicaScheduling: { replicaSchedulingType: type } },
    },
  })
  const targets = [
    { name: 'm2', replicas: 1 },
    { name: 'm1', replicas: 3 },
  ]

  test('are divided in proportion to the replicas, without a remainder', () => {
    const divided = divideCompletions(binding('Divided'), job, targets)
    expect(divided && [...divided.values()].reduce((sum, share) => sum + share, 0)).toBe(10)
    expect(divided?.get('m1')).toBeGreaterThan(divided?.get('m2') ?? 0)
  })

  test.each([
    ['are not divided when every cluster runs the whole Job', binding('Duplicated'), job],
    ['are not divided when their number is open', binding('Divided'), { ...job, spec: {} }],
    ['are not divided for other kinds', binding('Divided'), { ...job, kind: 'Deployment', apiVersion: 'apps/v1' }],
  ])('%s', (_name, wanted, template) => {
    expect(divideCompletions(wanted, template, targets)).toBeUndefined()
  })
})
