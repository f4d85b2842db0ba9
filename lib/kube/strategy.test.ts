import { describe, expect, it } from 'vitest'
import { KubeError } from './errors'
import type { Kind } from './kind'
import { configMap, deployment, pod, resourceBinding, service, workloadRebalancer } from './kinds'
import type { UnknownObject } from './object'
import { strategyOf } from './strategy'
import { atStatus, context, create, draft, template, web } from './testing/drafts'

describe('any kind', () => {
  const junk = [null, [], {}, '', 0, -1, 1.5, true, 'x', [null], { a: null }, [[]], [{}]]

  it.each<[string, Kind, object]>([
    ['Deployment', deployment, web],
    ['Pod', pod, { spec: template.spec }],
    ['Service', service, { spec: { ports: [{ port: 80 }] } }],
    ['ResourceBinding', resourceBinding, { spec: { resource: { apiVersion: 'v1', kind: 'A', name: 'a' } } }],
  ])('%s answers junk in any place with an object or a refusal', (_, kind, fields) => {
    const stored = create(kind, fields)
    for (const path of pathsOf(stored)) {
      for (const value of junk) {
        const spoilt = withValueAt(stored, path, value) as UnknownObject
        for (const write of [
          () => strategyOf(kind).create(spoilt, context),
          () => strategyOf(kind).update(spoilt, stored, context),
          () => strategyOf(kind).updateStatus(spoilt, stored, atStatus),
        ]) {
          expect(outcomeOf(write)).toMatch(/^(stored|KubeError)$/)
        }
      }
    }
  })
})

function outcomeOf(write: () => unknown): string {
  try {
    write()
    return 'stored'
  } catch (error) {
    return error instanceof KubeError ? 'KubeError' : String(error)
  }
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...path, name]))
  return path.length > 0 ? [path, ...below] : below
}

function withValueAt(object: unknown, [first, ...rest]: string[], value: unknown): unknown {
  if (first === undefined) return value
  const child = withValueAt((object as Record<string, unknown>)[first], rest, value)
  return Array.isArray(object) ? object.with(Number(first), child) : { ...(object as object), [first]: child }
}

describe('a custom kind', () => {
  it('raises its generation for its spec only', () => {
    const stored = create(workloadRebalancer, {
      spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }] },
      status: { finishTime: 'x' },
    })
    expect(stored).not.toHaveProperty('status')
    expect(stored.metadata.generation).toBe(1)
    const strategy = strategyOf(workloadRebalancer)
    const annotated = { ...stored, metadata: { ...stored.metadata, annotations: { a: 'b' } } }
    expect(strategy.update(annotated, stored, context).metadata.generation).toBe(1)
    const longer = { ...stored, spec: { ...(stored.spec as object), ttlSecondsAfterFinished: 0 } }
    expect(strategy.update(longer, stored, context)).toMatchObject({
      metadata: { generation: 2 },
      spec: { ttlSecondsAfterFinished: 0 },
    })
  })

  it('names fields of a refused status without their root, as the real server does', () => {
    const stored = draft(resourceBinding, { spec: { resource: { apiVersion: 'v1', kind: 'A', name: 'a' } } })
    expect(() =>
      strategyOf(resourceBinding).updateStatus(
        {
          ...stored,
          status: {
            conditions: [{ type: 'A', status: 'True', reason: '', message: 'm', lastTransitionTime: context.now }],
          },
        },
        stored,
        atStatus,
      ),
    ).toThrow(
      'status.conditions[0].reason: Invalid value: "": conditions[0].reason in body should be at least 1 chars long',
    )
  })

  it('reports unknown fields', () => {
    const { unknownFields } = strategyOf(workloadRebalancer).decode(
      draft(workloadRebalancer, { zzz: 1, spec: { nope: 1, workloads: [] } }),
    )
    expect(unknownFields).toEqual(['spec.nope', 'zzz'])
  })

  it.each([null, 'x', [], {}, { metadata: null }])('made of %j is only missing its name', (body) => {
    for (const kind of [workloadRebalancer, configMap]) {
      expect(() => strategyOf(kind).create(body as never, context)).toThrow('metadata.name: Required value')
    }
  })

  it('has metadata of the right types', () => {
    expect(() => create(workloadRebalancer, {}, { labels: { a: 1 } })).toThrow(
      'WorkloadRebalancer in version "v1alpha1" cannot be handled as a WorkloadRebalancer: json: cannot unmarshal number',
    )
    expect(strategyOf(workloadRebalancer).mismatchOf({ metadata: { finalizers: 'x' } })).toContain('of type []string')
  })

  it.each<[object, string]>([
    [{ name: '' }, 'metadata.name: Required value: name or generateName is required'],
    [{ name: 'Bad_' }, 'metadata.name: Invalid value: "Bad_": a lowercase RFC 1123 subdomain must consist of'],
    [{ name: 'x'.repeat(254) }, 'must be no more than 253 characters'],
    [{ labels: { 'a b': '1' } }, 'metadata.labels: Invalid value: "a b": name part must consist of'],
    [{ annotations: { a: 'x'.repeat(262_144) } }, 'metadata.annotations: Too long: may not be more than 262144 bytes'],
    [
      { ownerReferences: [{ kind: 'X' }] },
      '[metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty, '
        + 'metadata.ownerReferences.name: Invalid value: "": must not be empty, metadata.ownerReferences.uid: Invalid value: "": must not be empty]',
    ],
  ])('refuses metadata %j', (metadata, text) => {
    expect(() =>
      create(workloadRebalancer, { spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'D', name: 'a' }] } }, metadata),
    ).toThrow(text)
  })

  it('is protected from deletion by its label', () => {
    expect(() =>
      strategyOf(workloadRebalancer).remove(
        draft(workloadRebalancer, {}, { labels: { 'resourcetemplate.karmada.io/deletion-protected': 'Always' } }),
      ),
    ).toThrow(
      'admission webhook "resourcedeletionprotection.karmada.io" denied the request: This resource is protected',
    )
  })
})

describe('decoding what shares parts with an object that was decoded before', () => {
  const spec = {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  }
  const decode = (object: object) => strategyOf(deployment).decode(object)
  const whole = (fields: object): UnknownObject => draft(deployment, fields, { name: 'a', labels: { on: 'yes' } })

  it.each([
    ['another status', { spec, status: { replicas: 2, conditions: [] } }],
    ['a status before it', { status: { replicas: 2, unknown: 1 }, spec }],
    ['no status', { spec }],
    ['the same part in another field', { spec, status: spec }],
    ['an unknown field beside it', { spec, extra: spec }],
  ])('gives what decoding all of it gives: %s', (_name, fields) => {
    decode(whole({ spec }))
    const alone = structuredClone(whole(fields))
    expect(JSON.stringify(decode(whole(fields)))).toBe(JSON.stringify(decode(alone)))
  })

  it('shares what is written as it would be stored: amounts, times and all', () => {
    const resources = { requests: { cpu: '10m', memory: '16Mi' } }
    const containers = [{ name: 'a', image: 'a', resources }]
    const stored = whole({ spec: { ...spec, template: { ...spec.template, spec: { containers } } } })
    const conditions = [{ type: 'Available', status: 'True', lastTransitionTime: '2026-01-30T00:00:00Z' }]
    const given = { ...stored, status: { conditions } }
    const { object } = decode(given)
    expect(object.spec).toBe(stored.spec)
    expect(object.status).toBe(given.status)
  })

  it('finds in order what a write has stored: the next one does not look at it again', () => {
    const stored = create(deployment, { ...web, spec: { ...web.spec, strategy: { type: 'RollingUpdate' } } })
    const next = strategyOf(deployment).updateStatus({ ...stored, status: { replicas: 1 } }, stored, atStatus)
    expect(next.spec).toBe(stored.spec)
    expect(decode(next).object).toEqual(next)
  })

  it('still refuses a part that does not fit, and names unknown fields every time', () => {
    const status = { replicas: 'many' }
    const odd = { ...spec, odd: 1 }
    for (let count = 0; count < 2; count++) {
      expect(() => decode(whole({ spec, status }))).toThrow(KubeError)
      expect(decode(whole({ spec: odd })).unknownFields).toEqual(['spec.odd'])
    }
  })
})
