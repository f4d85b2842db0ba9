import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { KubeError } from '../errors'
import { customResourceDefinition, type CustomResourceDefinition } from '../kinds'
import type { UnknownObject } from '../object'
import type { StructuralSchema } from '../schema'
import { strategyOf } from '../strategy'
import { kindsOf } from './definition-kinds'

const context = { now: '2026-01-01T00:00:00Z', uid: () => 'uid' }
const strategy = strategyOf(customResourceDefinition)
const SCHEMA = 'spec.validation.openAPIV3Schema'

interface Parts {
  name?: string
  spec?: object
  version?: object
  root?: object
  /** The schema of `spec.x`. */
  x?: object
}

function definition({
  name = 'widgets.example.com',
  spec = {},
  version = {},
  root,
  x = { type: 'string' },
}: Parts): UnknownObject {
  const schema = root ?? { type: 'object', properties: { spec: { type: 'object', properties: { x } } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...spec,
    },
  } as unknown as UnknownObject
}

/** `field: message` of each finding. */
function findings(parts: Parts): string[] {
  try {
    strategy.create(definition(parts), context)
    return []
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return (error.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)
  }
}

/** A rule as refusals repeat it. */
const ruleText = (Rule: string): string =>
  JSON.stringify({ Rule, Message: '', MessageExpression: '', Reason: null, FieldPath: '', OptionalOldSelf: null })
    .replaceAll('&', String.raw`\u0026`)
    .replaceAll('>', String.raw`\u003e`)

const AT_X = `${SCHEMA}.properties[spec].properties[x]`

describe('a definition is refused for', () => {
  it.each<[string, Parts, string]>([
    [
      'a name that is not made of plural and group',
      { name: 'a.example.com' },
      'metadata.name: Invalid value: "a.example.com": must be spec.names.plural+"."+spec.group',
    ],
    [
      'a group without a dot',
      { name: 'widgets.example', spec: { group: 'example' } },
      'spec.group: Invalid value: "example": should be a domain with at least one dot',
    ],
    [
      'a group of the community without approval',
      { name: 'widgets.x.k8s.io', spec: { group: 'x.k8s.io' } },
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation '
        + '"api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
    [
      'a scope that there is none of',
      { spec: { scope: 'World' } },
      'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
    ],
    [
      'a list kind that is the kind',
      { spec: { names: { plural: 'widgets', kind: 'Widget', listKind: 'Widget' } } },
      'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same',
    ],
    [
      'a version without a schema',
      { version: { schema: undefined } },
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [
      'a column of an unknown type',
      { version: { additionalPrinterColumns: [{ name: 'X', type: 'text', jsonPath: '.x' }] } },
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
    ],
    [
      'a selectable field that is not in the schema',
      { version: { selectableFields: [{ jsonPath: '.spec.y' }] } },
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.y": is an invalid path: does not refer to a valid field',
    ],
    [
      'a conversion at a Service without a namespace',
      {
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions: ['v1'], clientConfig: { service: { name: 's' } } },
          },
        },
      },
      'spec.conversion.webhookClientConfig.service.name: Required value',
    ],
    [
      'a selectable field of the metadata',
      { version: { selectableFields: [{ jsonPath: '.metadata.name' }] } },
      'spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field',
    ],
    [
      'a selectable field that is no path',
      { version: { selectableFields: [{ jsonPath: 'x' }] } },
      'spec.selectableFields[0].jsonPath: Invalid value: "x": is an invalid path: expected [ or . but got: x',
    ],
    [
      'replicas outside of the spec',
      { version: { subresources: { scale: { specReplicasPath: '.x', statusReplicasPath: '.status.x' } } } },
      'spec.subresources.scale.specReplicasPath: Invalid value: ".x": should be a json path under .spec',
    ],
    [
      'a conversion that there is none of',
      { spec: { conversion: { strategy: 'Magic' } } },
      'spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"',
    ],
    [
      'a root that is no object',
      { root: { type: 'string' } },
      `${SCHEMA}.type: Invalid value: "string": must be object at the root`,
    ],
    [
      'a field without a type',
      { x: { minLength: 1 } },
      `${AT_X}.type: Required value: must not be empty for specified object fields`,
    ],
    [
      'items without a type',
      { x: { type: 'array', items: { minLength: 1 } } },
      `${AT_X}.items.type: Required value: must not be empty for specified array items`,
    ],
    ['a list without items', { x: { type: 'array' } }, `${AT_X}.items: Required value: must be specified`],
    [
      'a type inside of a junctor',
      { x: { type: 'string', anyOf: [{ type: 'string' }] } },
      `${AT_X}.anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      'a field that only a junctor knows',
      { root: { type: 'object', anyOf: [{ properties: { y: { minLength: 1 } } }] } },
      `${SCHEMA}.properties[y]: Required value: because it is defined in ${SCHEMA}.anyOf[0].properties[y]`,
    ],
    [
      'a pattern that is none',
      { x: { type: 'string', pattern: '(' } },
      `${AT_X}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    ],
    [
      'unique items',
      { x: { type: 'array', items: { type: 'string' }, uniqueItems: true } },
      `${AT_X}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
    [
      'fields that are named and free',
      { x: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } } },
      `${AT_X}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    ],
    [
      'a list with keys that are no fields',
      {
        x: {
          type: 'array',
          items: { type: 'object' },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
        },
      },
      `${AT_X}.x-kubernetes-list-map-keys: Invalid value: ["a"]: entries must all be names of item properties`,
    ],
    [
      'a default that breaks its schema',
      { x: { type: 'integer', maximum: 3, default: 4 } },
      `${AT_X}.default: Invalid value: 4:  in body should be less than or equal to 3`,
    ],
    [
      'a default with fields that are not known',
      { x: { type: 'object', default: { a: 1 } } },
      `${AT_X}.default: Invalid value: {"a":1}: must not have unknown fields`,
    ],
    [
      'more about metadata than its names',
      {
        root: {
          type: 'object',
          properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
        },
      },
      `${SCHEMA}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
    [
      'a rule that asks for the past of what has none',
      { x: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } } },
      `${AT_X}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${AT_X}`,
    ],
    [
      'a rule that is no expression of its type',
      { x: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self' }] } },
      `${AT_X}.x-kubernetes-validations[0].rule: Invalid value: ${ruleText('self')}: cel expression must evaluate to a bool`,
    ],
    [
      'a rule that asks whether there is what cannot be',
      { x: { type: 'object', 'x-kubernetes-validations': [{ rule: 'true && has(self.b)' }] } },
      `${AT_X}.x-kubernetes-validations[0].rule: Invalid value: ${ruleText('true && has(self.b)')}: compilation failed: ERROR: <input>:1:17: `
        + "undefined field 'b'\n | true && has(self.b)\n | ................^",
    ],
    [
      'a rule of what has no type',
      { x: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'true' }] } },
      `${AT_X}.x-kubernetes-validations: Internal error: internal error: failed to construct type information for `
        + 'x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
    ],
    [
      'keys of a list that are named twice',
      {
        x: {
          type: 'array',
          items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a', 'a'],
        },
      },
      `${AT_X}.x-kubernetes-list-map-keys: Invalid value: ["a","a"]: must not contain duplicate entries`,
    ],
    [
      'unknown fields that are said not to be kept',
      { x: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } },
      `${AT_X}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ],
    [
      'a default beside a rule that is no expression of its type',
      { x: { type: 'integer', default: 3, 'x-kubernetes-validations': [{ rule: 'self' }] } },
      `${AT_X}.default: Invalid value: "integer": rule compile error: cel expression must evaluate to a bool`,
    ],
    [
      'an optional old value that the rule does not read',
      { x: { type: 'string', 'x-kubernetes-validations': [{ rule: 'true', optionalOldSelf: true }] } },
      `${AT_X}.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    ],
    [
      'a selectable field that is named twice and of no simple type',
      { x: { type: 'object' }, version: { selectableFields: [{ jsonPath: '.spec.x' }, { jsonPath: '.spec.x' }] } },
      'spec.selectableFields[1].jsonPath: Duplicate value: ".spec.x"',
    ],
    [
      'a rule that blames a field that cannot be',
      { x: { type: 'object', 'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.b' }] } },
      `${AT_X}.x-kubernetes-validations[0].fieldPath: Invalid value: ".b": must be a valid path`,
    ],
  ])('%s', (_, parts, expected) => {
    expect(findings(parts)).toContain(expected)
  })

  it('but no rule about what is embedded', () => {
    const rule = "self.y.kind == 'Pod' && self.y.metadata.name != '' && self.list.all(one, has(one.a))"
    const item = { type: 'object', properties: { a: { type: 'string' } } }
    const properties = {
      y: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      list: { type: 'array', items: item },
    }
    expect(
      findings({ x: { type: 'object', properties, 'x-kubernetes-validations': [{ rule, fieldPath: '.y' }] } }),
    ).toEqual([])
  })

  it('anything but one version to store in', () => {
    const more = {
      spec: {
        versions: [{ name: 'v1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    }
    expect(findings(more)).toEqual([
      'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,'
        + '"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,'
        + '"SelectableFields":null}]: must have exactly one version marked as storage version',
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ])
  })
})

describe('a definition', () => {
  const stored = strategy.create(definition({}), context) as unknown as CustomResourceDefinition

  it('is completed', () => {
    expect(stored.spec.names).toEqual({ plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' })
    expect(stored.spec.conversion).toEqual({ strategy: 'None' })
    expect(stored.status).toEqual({ conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] })
  })

  it.each([
    ['group', { ...stored.spec, group: 'other.com' }, 'spec.group'],
    ['plural', { ...stored.spec, names: { ...stored.spec.names, plural: 'others' } }, 'spec.names.plural'],
  ])('keeps its %s', (_, spec, field) => {
    const next = { ...stored, spec } as unknown as UnknownObject
    expect(() => strategy.update(next, stored as unknown as UnknownObject, context)).toThrow(`${field}: Invalid value`)
  })

  it('remembers every version that it was stored in, and keeps it', () => {
    const [v1] = stored.spec.versions
    const versions = [
      { ...v1!, storage: false },
      { ...v1!, name: 'v2' },
    ]
    const old = stored as unknown as UnknownObject
    const moved = strategy.update({ ...old, spec: { ...stored.spec, versions } }, old, context)
    expect((moved as unknown as CustomResourceDefinition).status?.storedVersions).toEqual(['v1', 'v2'])
    const gone = { ...moved, spec: { ...stored.spec, versions: versions.slice(1) } }
    expect(() => strategy.update(gone, moved, context)).toThrow('status.storedVersions[0]: Invalid value: "v1"')
  })
})

interface Real {
  group: string
  scope: string
  names: object
  versions: {
    name: string
    served: boolean
    storage: boolean
    schema: StructuralSchema
    additionalPrinterColumns?: object[]
  }[]
}

const real = JSON.parse(readFileSync(new URL('../testdata/crds.json', import.meta.url), 'utf8')) as Record<string, Real>

describe('definitions of real products are taken as they are', () => {
  it.each(Object.entries(real).filter(([, { versions }]) => versions.every(({ storage }) => storage)))(
    '%s',
    (_, own) => {
      const group = `${own.group}.example.com`
      const { plural } = own.names as { plural: string }
      const versions = own.versions.map(({ schema, ...rest }) => ({ ...rest, schema: { openAPIV3Schema: schema } }))
      const spec = { group, scope: own.scope, names: own.names, versions }
      expect(findings({ name: `${plural}.${group}`, spec })).toEqual([])
    },
  )
})

describe('a definition with several versions', () => {
  it('shows stored objects in each, under their names', () => {
    const [v1] = (definition({}).spec as CustomResourceDefinition['spec']).versions
    const spec = {
      ...(definition({}).spec as object),
      versions: [v1, { ...v1, name: 'v2', storage: false }, { ...v1, name: 'v0', storage: false, served: false }],
    }
    const kinds = kindsOf({ ...definition({}), spec } as unknown as CustomResourceDefinition)
    expect(kinds.map(({ version, unserved = false }) => [version, unserved])).toEqual([
      ['v1', false],
      ['v2', false],
      ['v0', true],
    ])
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } } as UnknownObject
    expect(kinds[1]?.storedAs?.read(object).apiVersion).toBe('example.com/v2')
    expect(kinds[1]?.storedAs?.write({ ...object, apiVersion: 'example.com/v2' })).toEqual(object)
  })
})
