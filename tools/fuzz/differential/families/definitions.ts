/** CustomResourceDefinitions, sound and broken, and objects of the kinds that they define. */
import type { Rng } from '@/lib/std/rng'
import { chance, pick } from '../../broken/mutate'
import { type Draft, type Family, get, NAMESPACE, patch, post, query, step, TABLE } from '../family'
import { type Definition, GROUP, ODD, type Version } from '../odd-definitions'
import { BAD_RULES, BAD_SCHEMAS, FIELDS } from '../schemas'
import { isRecord, spoil } from '../spoil'

const NAME = `things.${GROUP}`
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Leaves discovery as it was. */
const REMOVED: Draft = { ...step('DELETE', `${DEFINITIONS}/${NAME}`), unstable: ['/body/status', '/body/metadata'] }

function versionOf(name: string, storage: boolean, field: object, more: object = {}): Version {
  const status = { type: 'object', properties: { replicas: { type: 'integer' }, m: { type: 'string' } } }
  const spec = { type: 'object', properties: { f: field, replicas: { type: 'integer' }, keep: { type: 'string' } } }
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
    ...more,
  }
}

function definitionOf(versions: Version[], scope = 'Namespaced'): Definition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: { group: GROUP, scope, names: { plural: 'things', kind: 'Thing' }, versions },
  }
}

const broken: Family = {
  name: 'definitions',
  weight: 2,
  make(rng) {
    const field = (): object => {
      const { schema } = pick(rng, FIELDS)
      switch (rng.below(4)) {
        case 0:
          return schema
        case 1:
          return pick(rng, BAD_SCHEMAS)
        case 2:
          return { ...schema, 'x-kubernetes-validations': [pick(rng, BAD_RULES)] }
        default:
          return {
            ...pick(rng, [
              { type: 'string' },
              { type: 'object', properties: { f: { type: 'string' } } },
              { type: 'array', items: { type: 'integer' } },
            ]),
            'x-kubernetes-validations': [pick(rng, BAD_RULES)],
          }
      }
    }
    const draft = (): Definition => {
      const definition = definitionOf([versionOf('v1', true, field())])
      if (chance(rng, 0.5)) pick(rng, ODD)(definition)
      return definition
    }
    const unstable = [
      '/body/status/conditions',
      '/body/status/acceptedNames',
      '/body/metadata/resourceVersion',
      '/body/metadata/generation',
    ]
    return [
      post(`${DEFINITIONS}`, draft(), query(rng, { dryRun: ['All'], fieldValidation: ['Strict', 'Ignore'] }, 0.15)),
      post(`${DEFINITIONS}`, draft(), { query: { dryRun: 'All' } }),
      { ...step('PUT', `${DEFINITIONS}/${NAME}`, draft()), unstable },
      REMOVED,
    ]
  },
}

const THING = `/apis/${GROUP}/v1/namespaces/{{ns}}/things`

function served(definition: Definition, path = THING): Draft[] {
  const ready = {
    request: { method: 'GET', path },
    op: 'await' as const,
    until: { status: 200 },
    timeout: 15,
    setup: true,
  }
  return [NAMESPACE, { ...post(DEFINITIONS, definition), setup: true }, ready]
}

const thing = (f: unknown, more: object = {}, version = 'v1'): Record<string, unknown> => ({
  apiVersion: `${GROUP}/${version}`,
  kind: 'Thing',
  metadata: { name: 'o0' },
  spec: { ...(f !== undefined && { f }), keep: 'k' },
  ...more,
})

const COLUMNS = [
  { name: 'F', type: 'string', jsonPath: '.spec.f' },
  { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
] as const

const objects: Family = {
  name: 'custom-objects',
  weight: 3,
  make(rng) {
    const { schema, values } = pick(rng, FIELDS)
    const more = {
      ...(chance(rng, 0.5) && {
        subresources: {
          ...(chance(rng, 0.8) && { status: {} }),
          ...(chance(rng, 0.4) && {
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.m',
            },
          }),
        },
      }),
      ...(chance(rng, 0.3) && { additionalPrinterColumns: COLUMNS }),
      ...(chance(rng, 0.2) && { selectableFields: [{ jsonPath: '.spec.keep' }] }),
    }
    const at = `${THING}/o0`
    const options = (): object => query(rng, { fieldValidation: ['Strict', 'Warn', 'Ignore'], dryRun: ['All'] }, 0.2)
    const value = (): unknown => pick(rng, values)
    const acts: readonly (() => Draft)[] = [
      () =>
        step(
          'PUT',
          at,
          thing(value(), { metadata: { name: 'o0', ...(chance(rng, 0.8) && { resourceVersion: '{{rv1}}' }) } }),
          options(),
        ),
      () => patch('merge', at, { spec: { f: value() } }, options()),
      () =>
        patch('json', at, [
          { op: pick(rng, ['add', 'replace', 'test', 'remove']), path: '/spec/f', value: value() ?? null },
        ]),
      () => ({
        ...patch('apply', at, thing(value()), {
          query: { fieldManager: pick(rng, ['a', 'b']), ...(chance(rng, 0.4) && { force: true }) },
        }),
        keepManagedFields: true,
      }),
      () => patch('strategic', at, { spec: {} }),
      () =>
        patch('merge', `${at}/status`, {
          status: pick(rng, [{ replicas: 1 }, { m: 'x' }, { replicas: 'x' }, { nope: 1 }, null]),
          ...(chance(rng, 0.3) && { spec: { keep: 'z' } }),
        }),
      () =>
        step(
          'PUT',
          `${at}/status`,
          thing(value(), { metadata: { name: 'o0', resourceVersion: '{{rv1}}' }, status: { replicas: 2 } }),
        ),
      () => get(`${at}/scale`),
      () => patch('merge', `${at}/scale`, { spec: { replicas: pick(rng, [3, -1, 'x']) } }),
      () =>
        step('PUT', `${at}/scale`, {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'o0', namespace: '{{ns}}' },
          spec: { replicas: 4 },
        }),
      () => get(THING, TABLE),
      () => get(at, TABLE),
      () => get(THING, { query: { fieldSelector: pick(rng, ['spec.keep=k', 'spec.f=x', 'metadata.name=o0']) } }),
      () => get(at),
      () =>
        patch('merge', at, {
          metadata: pick(rng, [
            { labels: { a: 'b' } },
            { annotations: { a: 'b' } },
            { finalizers: ['a.b/c'] },
            { labels: null },
            { nope: 1 },
          ]),
        }),
      () => step('DELETE', at, pick(rng, [undefined, { propagationPolicy: 'Foreground' }, { gracePeriodSeconds: 5 }])),
      () => step('PUT', `${THING}/other`, thing(value(), { metadata: { name: 'other' } })),
    ]
    return [
      ...served(definitionOf([versionOf('v1', true, schema, more)])),
      { ...post(THING, thing(value()), options()), capture: { rv1: '/metadata/resourceVersion' } },
      { ...post(THING, spoilThing(rng, value())) },
      ...Array.from({ length: 4 }, () => pick(rng, acts)()),
      { ...get(at), keepManagedFields: true },
      REMOVED,
    ]
  },
}

function spoilThing(rng: Rng, f: unknown): Record<string, unknown> {
  const object = thing(f, { metadata: { name: 'o1' } })
  const field = pick(rng, ['spec', 'metadata', 'apiVersion', 'kind', 'nope'])
  if (field === 'nope') return { ...object, nope: 1 }
  if (field === 'metadata')
    return {
      ...object,
      metadata: {
        name: 'o1',
        ...pick(rng, [
          { nope: 1 },
          { labels: { a: 1 } },
          { labels: null },
          { annotations: 'x' },
          { finalizers: ['x'] },
          { ownerReferences: [{}] },
          { generation: 5 },
          { creationTimestamp: 'x' },
          { name: 'UP' },
          { generateName: 'g-', name: undefined },
        ]),
      },
    }
  const spoiled = spoil(rng, object[field])
  return { ...object, [field]: field === 'spec' && !isRecord(spoiled) && chance(rng, 0.5) ? {} : spoiled }
}

const versions: Family = {
  name: 'versions',
  weight: 1.5,
  make(rng) {
    const one = pick(rng, FIELDS)
    const two = pick(rng, FIELDS)
    const scope = chance(rng, 0.3) ? 'Cluster' : 'Namespaced'
    const stored = chance(rng, 0.5)
    const definition = definitionOf(
      [
        versionOf('v1', stored, one.schema, chance(rng, 0.2) ? { deprecated: true } : {}),
        versionOf('v2beta1', !stored, two.schema, {
          ...(chance(rng, 0.15) && { served: false }),
          subresources: { status: {} },
        }),
      ],
      scope,
    )
    const path = (version: string): string =>
      `/apis/${GROUP}/${version}/${scope === 'Cluster' ? '' : 'namespaces/{{ns}}/'}things`
    const version = (): string => pick(rng, ['v1', 'v2beta1'])
    const acts: readonly (() => Draft)[] = [
      () => get(`${path(version())}/o0`),
      () => get(path(version()), chance(rng, 0.4) ? TABLE : {}),
      () => patch('merge', `${path(version())}/o0`, { spec: { f: pick(rng, [...one.values, ...two.values]) ?? null } }),
      () => post(path(version()), thing(pick(rng, two.values), { metadata: { name: 'o1' } }, version())),
      () => ({
        ...patch('apply', `${path('v2beta1')}/o0`, thing(pick(rng, two.values), {}, version()), {
          query: { fieldManager: 'a', force: true },
        }),
        keepManagedFields: true,
      }),
      () => get(`/apis/${GROUP}`),
      () => get(`/apis/${GROUP}/${version()}`),
      () => get(path('v3')),
      () => get(`/apis/${GROUP}/v1/namespaces/{{ns}}/things`),
      () => get(`/apis/${GROUP}/v1/things`),
      () => get(`/apis/${GROUP}/v1/namespaces/{{ns}}/things/o0`),
      () =>
        patch('merge', `${DEFINITIONS}/${NAME}/status`, {
          status: pick(rng, [{ storedVersions: ['v1'] }, { storedVersions: [] }, { storedVersions: ['v9'] }]),
        }),
      () => ({
        ...patch('json', `${DEFINITIONS}/${NAME}`, [{ op: 'remove', path: '/spec/versions/0' }]),
        unstable: ['/body/metadata/resourceVersion', '/body/metadata/generation'],
      }),
      () => step('DELETE', `${path(version())}/o0`),
    ]
    return [
      ...served(definition, path('v1')),
      post(path('v1'), thing(pick(rng, one.values), {}, 'v1')),
      post(path('v2beta1'), thing(pick(rng, two.values), { metadata: { name: 'o2' } }, 'v2beta1')),
      ...Array.from({ length: 4 }, () => pick(rng, acts)()),
      REMOVED,
    ]
  },
}

export const definitionFamilies: readonly Family[] = [broken, objects, versions]
