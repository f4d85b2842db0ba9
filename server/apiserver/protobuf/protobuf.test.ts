import { describe, expect, test } from 'vitest'
import { seededRng, type Rng } from '@/lib/std/rng'
import { decodeObject } from './decode'
import { encodeObject } from './encode'
import table from './fields.json' with { type: 'json' }
import { type Field, messageNamed } from './table'
import { ProtobufUnreadable } from './unreadable'

/** Names of kinds: their messages begin with the metadata. */
const KINDS = Object.entries(table as Record<string, Record<string, string>>)
  .filter(([name, fields]) => fields[1]?.startsWith('metadata ') && !name.startsWith('meta.k8s.io'))
  .map(([name]) => name)

const TEXTS = ['a', 'web', 'ünï', '__proto__', 'x'.repeat(300)]
const NUMBERS = [1, -1, 127, 128, 16_384, 2_147_483_647, -2_147_483_648, Number.MAX_SAFE_INTEGER]

/** An object of a message with some of its fields, no deeper than `depth`. */
function someObject(name: string, rng: Rng, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const field of messageNamed(name)!.fields) {
    if (field.name === '=') Object.assign(object, someObject(field.type, rng, depth))
    else if (rng.next() < 0.6) {
      const value = someField(field, rng, depth)
      if (value !== undefined) object[field.name] = value
    }
  }
  return object
}

function someField(field: Field, rng: Rng, depth: number): unknown {
  const one = (): unknown => someValue(field.type, rng, depth)
  if (one() === undefined) return undefined
  if (field.many === 'list') return [one(), one()]
  if (field.many === 'map')
    return Object.fromEntries([
      ['b', one()],
      ['a/b.c', one()],
    ])
  return one()
}

const pick = <T>(rng: Rng, from: readonly T[]): T => from[Math.floor(rng.next() * from.length)]!

function someValue(type: string, rng: Rng, depth: number): unknown {
  switch (type) {
    case 's':
      return pick(rng, TEXTS)
    case 'i':
      return pick(rng, NUMBERS)
    case 'd':
      return pick(rng, [0.5, -1e300, 1])
    case 'b':
      return true
    case 'x':
      return Buffer.from(pick(rng, TEXTS)).toString('base64')
    case 't':
      return pick(rng, ['2026-11-22T10:00:00Z', '1970-01-01T00:00:01Z'])
    case 'm':
      return '2026-11-22T10:00:00.012345Z'
    case 'n':
      return pick(rng, ['1h0m0s', '1.5s', '20ms'])
    case 'q':
      return pick(rng, ['100m', '1Gi', '0'])
    case 'o':
      return pick<unknown>(rng, [3, '25%'])
    case 'j':
      return pick<unknown>(rng, [{ a: [1, null] }, 'text', 7])
    case 'l':
      return ['a', 'b']
    default:
      break
  }
  if (depth === 0) return undefined
  if (type.endsWith('OrBool')) return pick<unknown>(rng, [true, false, { type: 'string' }])
  if (type.endsWith('OrArray') || type.endsWith('OrStringArray')) return { type: 'string' }
  return someObject(type, rng, depth - 1)
}

describe('protobuf of API objects', () => {
  test.each(KINDS)('%s comes back as it was', (name) => {
    const kind = name.slice(name.lastIndexOf('/') + 1)
    const apiVersion = name.slice(0, name.lastIndexOf('/'))
    for (const seed of [1, 2, 3]) {
      const object = { apiVersion, kind, ...someObject(name, seededRng(seed), 4) }
      expect(decodeObject(encodeObject(object)!)).toEqual(object)
    }
  })

  test('has the bytes that protoc reads as the same Deployment', () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { a: 'ü' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: '1' } },
        strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
        template: {
          spec: {
            volumes: [{ name: 'v', configMap: { name: 'cm', defaultMode: 420 } }],
            containers: [{ name: 'c', resources: { requests: { cpu: '100m' } }, securityContext: { runAsUser: -1 } }],
          },
        },
      },
    }
    expect(encodeObject(deployment)!.toString('hex')).toBe(RECORDED)
  })

  test('passes over fields that are not known', () => {
    const bytes = encodeObject({ apiVersion: 'v1', kind: 'Namespace', spec: { finalizers: ['kubernetes'] } })!
    // Field 99 of the envelope: a varint, a text, and numbers of fixed width.
    const more = Buffer.from([0x98, 6, 1, 0x9a, 6, 1, 65, 0x99, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0x9d, 6, 0, 0, 0, 0])
    expect(decodeObject(Buffer.concat([bytes, more]))).toEqual(decodeObject(bytes))
  })

  test('is refused when it is cut off anywhere, and never crashes', () => {
    const bytes = encodeObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      ...someObject('apps/v1/Deployment', seededRng(5), 5),
    })!
    for (let length = 0; length < bytes.length; length += 7) {
      try {
        decodeObject(bytes.subarray(0, length))
      } catch (error) {
        expect(error).toBeInstanceOf(ProtobufUnreadable)
      }
    }
  })

  test('is refused or read when bytes are changed, and never crashes', () => {
    const rng = seededRng(11)
    const bytes = encodeObject({ apiVersion: 'v1', kind: 'Pod', ...someObject('v1/Pod', rng, 5) })!
    for (let round = 0; round < 2_000; round++) {
      const changed = Buffer.from(bytes)
      for (let count = 0; count < 3; count++)
        changed[Math.floor(rng.next() * changed.length)] = Math.floor(rng.next() * 256)
      try {
        decodeObject(changed)
      } catch (error) {
        expect(error).toBeInstanceOf(ProtobufUnreadable)
      }
    }
  })

  test('is refused when schemas nest too deep', () => {
    let schema: object = { type: 'string' }
    for (let depth = 0; depth < 1_200; depth++) schema = { not: schema }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
    }
    expect(() => decodeObject(encodeObject(definition)!)).toThrow('exceeded max depth')
  })
})

/** Read with protoc and the message definitions that Kubernetes publishes. */
const RECORDED =
  '6b3873000a150a07617070732f7631120a4465706c6f796d656e74126f0a0e0a037765625a070a01611202c3bc125d080012080a060a01'
  + '611201311a3812360a110a0176120c9a01090a040a02636d18a40312210a0163420f120d0a0363707512060a043130306d7a0b20ffffff'
  + 'ffffffffffff01221512130a06080010011a001209080110001a033235251a002200'
