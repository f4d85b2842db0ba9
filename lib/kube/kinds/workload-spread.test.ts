import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toCustomResourceDefinition } from '../crd'
import { type Kind, resourceName } from '../kind'
import type { UnknownObject } from '../object'
import { cloneSet } from './clone-set'
import {
  workloadSpread,
  workloadSpreadFromFirst,
  workloadSpreadToFirst,
  workloadSpreadV1alpha1,
} from './workload-spread'

interface RealKind {
  names: object
  versions: { name: string; subresources: object; additionalPrinterColumns: object[]; schema: object }[]
}
const real = JSON.parse(readFileSync(new URL('../testdata/kruise-crds.json', import.meta.url), 'utf8')) as Record<
  string,
  RealKind
>

describe('kinds of OpenKruise are the real ones, field for field', () => {
  it.each<[string, Kind]>([
    ['WorkloadSpread v1alpha1', workloadSpreadV1alpha1],
    ['WorkloadSpread v1beta1', workloadSpread],
    ['CloneSet v1alpha1', cloneSet],
  ])('%s', (_name, kind) => {
    const { names, versions } = real[resourceName(kind)]!
    const published = toCustomResourceDefinition(kind).spec
    const [own] = published.versions
    const version = versions.find(({ name }) => name === kind.version)!
    expect(published.names).toEqual(names)
    expect(own?.subresources).toEqual(version.subresources)
    expect(own?.additionalPrinterColumns).toEqual(version.additionalPrinterColumns)
    expect(JSON.parse(JSON.stringify(own?.schema.openAPIV3Schema))).toEqual(version.schema)
  })
})

const zone = { matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }
const since = '2026-01-01T12:00:00Z'
const spread = (apiVersion: string, subset: object, condition: object): UnknownObject =>
  ({
    apiVersion,
    kind: 'WorkloadSpread',
    metadata: { name: 'ws' },
    spec: {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      subsets: [{ name: 'a', maxReplicas: 3, ...subset }],
    },
    status: {
      observedGeneration: 2,
      subsetStatuses: [
        { name: 'a', replicas: 1, missingReplicas: 2, creatingPods: { x: since }, conditions: [condition] },
      ],
      versionedSubsetStatuses: { v1: [{ name: 'a', replicas: 1, missingReplicas: 2, conditions: [condition] }] },
    },
  }) as unknown as UnknownObject
const early = { requiredNodeSelectorTerm: zone, preferredNodeSelectorTerms: [{ weight: 1, preference: zone }] }
const late = { requiredNodeSelector: zone, preferredNodeSelector: [{ weight: 1, preference: zone }] }
const schedulable = { type: 'Schedulable', status: 'True', lastTransitionTime: since, message: '' }

describe('between the versions of a WorkloadSpread', () => {
  it('two fields of a subset change their names', () => {
    const full = { ...schedulable, reason: 'Sufficient' }
    const old = spread('apps.kruise.io/v1alpha1', early, full)
    const kept = spread('apps.kruise.io/v1beta1', late, full)
    expect(workloadSpreadFromFirst(old)).toEqual(kept)
    expect(workloadSpreadToFirst(kept)).toEqual(old)
  })

  it('a condition without a reason gets one', () => {
    const kept = workloadSpreadFromFirst(spread('apps.kruise.io/v1alpha1', early, { ...schedulable, reason: '' }))
    expect(kept).toEqual(spread('apps.kruise.io/v1beta1', late, { ...schedulable, reason: 'Unknown' }))
  })

  it('a condition loses the generation that it was made for', () => {
    const full = { ...schedulable, reason: 'Sufficient' }
    const shown = workloadSpreadToFirst(spread('apps.kruise.io/v1beta1', late, { ...full, observedGeneration: 4 }))
    expect(shown).toEqual(spread('apps.kruise.io/v1alpha1', early, full))
  })

  it('an object that is in that version already stays the very same', () => {
    const old = spread('apps.kruise.io/v1alpha1', early, schedulable)
    expect(workloadSpreadToFirst(old)).toBe(old)
  })

  it.each([undefined, 'text', [1]])('a broken spec (%j) is left for the schema to refuse', (subsets) => {
    const broken = {
      apiVersion: 'apps.kruise.io/v1alpha1',
      kind: 'WorkloadSpread',
      metadata: {},
      spec: { subsets },
    } as unknown as UnknownObject
    expect(workloadSpreadFromFirst(broken)).toMatchObject({ spec: { subsets } })
  })
})
