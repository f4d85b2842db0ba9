import { describe, expect, test } from 'vitest'
import type { UnknownObject } from '../../kube/object'
import { type Manifest, pruneManifest, retainObserved } from '.'

const server = { uid: 'u', resourceVersion: '3', creationTimestamp: '2026-01-01T00:00:00Z' }

function manifest(kind: string, rest: Partial<Manifest> = {}): Manifest {
  return { apiVersion: 'v1', kind, ...rest, metadata: { name: 'x', namespace: 'shop', ...rest.metadata } }
}
const observed = (of: Manifest, rest: object = {}): UnknownObject =>
  ({ ...of, ...rest, metadata: { ...of.metadata, ...server } }) as UnknownObject

describe('a member retains', () => {
  test('labels and annotations of other clients, but not those that the control plane set and dropped', () => {
    const wanted = manifest('ConfigMap', { metadata: { labels: { ours: 'new' } } })
    const before = observed(
      manifest('ConfigMap', {
        metadata: {
          labels: { ours: 'old', dropped: 'x', theirs: 'y' },
          annotations: { 'resourcetemplate.karmada.io/managed-labels': 'ours,dropped', theirs: 'z' },
        },
      }),
    )
    const { labels, annotations } = retainObserved(wanted, before).metadata
    expect(labels).toEqual({ ours: 'new', theirs: 'y' })
    expect(annotations).toMatchObject({ theirs: 'z' })
  })

  test('finalizers and owners', () => {
    const before = observed(manifest('ConfigMap'))
    before.metadata.finalizers = ['theirs']
    expect(retainObserved(manifest('ConfigMap'), before).metadata).toMatchObject({
      finalizers: ['theirs'],
      resourceVersion: '3',
    })
  })

  test.each([
    ['the replicas of a Deployment that asks for it', 'true', 9],
    ['not the replicas of any other Deployment', 'false', 3],
  ])('%s', (_name, retain, replicas) => {
    const labels = { 'resourcetemplate.karmada.io/retain-replicas': retain }
    const wanted = { ...manifest('Deployment', { metadata: { labels }, spec: { replicas: 3 } }), apiVersion: 'apps/v1' }
    expect(retainObserved(wanted, observed(wanted, { spec: { replicas: 9 } })).spec).toEqual({ replicas })
  })

  test('the address of a Service', () => {
    const wanted = manifest('Service', { spec: { ports: [] } })
    const before = observed(wanted, { spec: { clusterIP: '10.0.0.1', healthCheckNodePort: 0 } })
    expect(retainObserved(wanted, before).spec).toEqual({ ports: [], clusterIP: '10.0.0.1' })
  })

  test('the mounts of a Pod, by container', () => {
    const wanted = manifest('Pod', { spec: { containers: [{ name: 'a' }, { name: 'b' }] } })
    const before = observed(wanted, { spec: { nodeName: 'n', containers: [{ name: 'a', volumeMounts: [1] }] } })
    expect(retainObserved(wanted, before).spec).toEqual({
      nodeName: 'n',
      containers: [{ name: 'a', volumeMounts: [1] }, { name: 'b' }],
    })
  })

  test("secrets of a ServiceAccount, the template's first and without duplicates", () => {
    const wanted = manifest('ServiceAccount', { secrets: [{ name: 'ours' }, { name: 'both' }] })
    const before = observed(wanted, { secrets: [{ name: 'both' }, { name: 'theirs' }] })
    expect(retainObserved(wanted, before).secrets).toEqual([{ name: 'ours' }, { name: 'both' }, { name: 'theirs' }])
  })
})

describe('a manifest does not contain', () => {
  test('fields that a server sets', () => {
    const object = observed(manifest('ConfigMap', { data: { a: '1' } }), { status: {} })
    expect(pruneManifest(object)).toEqual(manifest('ConfigMap', { data: { a: '1' } }))
  })

  test.each([
    [
      'revision of a Deployment',
      manifest('Deployment', { metadata: { annotations: { 'deployment.kubernetes.io/revision': '1' } } }),
      { metadata: { annotations: {} } },
    ],
    [
      'address of a Service',
      manifest('Service', { spec: { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], type: 'ClusterIP' } }),
      { spec: { type: 'ClusterIP' } },
    ],
    [
      'token of a ServiceAccount',
      manifest('ServiceAccount', { secrets: [{ name: 'x-token-1' }, { name: 'y' }] }),
      { secrets: [{ name: 'y' }] },
    ],
    [
      'selector that the Job controller made',
      manifest('Job', {
        spec: {
          ttlSecondsAfterFinished: 1,
          selector: { matchLabels: { 'controller-uid': 'u' } },
          template: { metadata: { labels: { 'job-name': 'x', app: 'y' } } },
        },
      }),
      { spec: { selector: { matchLabels: {} }, template: { metadata: { labels: { app: 'y' } } } } },
    ],
  ])('is the %s', (_name, object, expected) => {
    expect(pruneManifest(object)).toMatchObject(expected)
    expect(pruneManifest(pruneManifest(object))).toEqual(pruneManifest(object))
  })

  test('but does contain the None of a headless Service', () => {
    expect(pruneManifest(manifest('Service', { spec: { clusterIP: 'None' } })).spec).toEqual({ clusterIP: 'None' })
  })
})
