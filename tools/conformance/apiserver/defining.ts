/** Kinds that users define. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { type Api, includes, refused, until } from './api'
import type { Topic } from './case'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

interface Defined {
  group: string
  path: string
  widget(spec: object): object
}

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      'x-kubernetes-validations': [
        { rule: 'self.size <= self.most', message: 'size must not exceed most' },
        { rule: 'self.most >= oldSelf.most', message: 'most must not shrink' },
      ],
      properties: {
        size: { type: 'integer', minimum: 1 },
        most: { type: 'integer', default: 10 },
        color: { type: 'string', enum: ['red', 'blue'] },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { size: { type: 'integer' } } },
  },
}

const version = (name: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
  subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
  additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
})

/** Defines widgets in a group of the case's own, and waits until they are served. */
async function define(api: Api): Promise<Defined> {
  const group = `${api.fresh('g')}.example.com`
  await api.expect(201, 'POST', DEFINITIONS, {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
        versions: [version('v1', true), version('v1beta1', false)],
      },
    },
  })
  api.later(() => api.send('DELETE', `${DEFINITIONS}/widgets.${group}`))
  const path = `/apis/${group}/v1/namespaces/${api.namespace}/widgets`
  await until(async () => (await api.send('GET', path)).status === 200)
  const widget = (spec: object): object => ({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name: 'a' },
    spec,
  })
  return { group, path, widget }
}

export const defining: Topic = {
  topic: 'CustomResourceDefinition',
  cases: [
    {
      name: 'defaults, prunes and keeps what the schema says',
      run: async (api) => {
        const { path, widget } = await define(api)
        const { spec } = await api.expect(201, 'POST', path, { body: widget({ size: 1, nope: 1, free: { any: [1] } }) })
        deepStrictEqual(spec, { size: 1, most: 10, free: { any: [1] } })
      },
    },
    {
      name: 'refuses what the schema does not allow, with every cause',
      run: async (api) => {
        const { path, widget } = await define(api)
        const answer = await api.send('POST', path, { body: widget({ size: 0, color: 'green' }) })
        refused(
          answer,
          422,
          'Invalid',
          /spec\.size: Invalid value: 0: spec\.size in body should be greater than or equal to 1/,
        )
        const fields = answer.body.details.causes.map(({ field }) => String(field))
        deepStrictEqual(fields.filter((field) => field.startsWith('spec.')).toSorted(), ['spec.color', 'spec.size'])
        refused(await api.send('POST', path, { body: widget({}) }), 422, 'Invalid', /spec\.size: Required value/)
      },
    },
    {
      name: 'asks its rules, those about changes only when something changes',
      run: async (api) => {
        const { path, widget } = await define(api)
        refused(
          await api.send('POST', path, { body: widget({ size: 11 }) }),
          422,
          'Invalid',
          /spec: Invalid value: .*size must not exceed most/,
        )
        await api.expect(201, 'POST', path, { body: widget({ size: 2 }) })
        refused(
          await api.send('PATCH', `${path}/a`, { body: { spec: { most: 5 } } }),
          422,
          'Invalid',
          /most must not shrink/,
        )
        await api.expect(200, 'PATCH', `${path}/a`, { body: { spec: { most: 20 } } })
      },
    },
    {
      name: 'serves every version of an object',
      run: async (api) => {
        const { group, path, widget } = await define(api)
        await api.expect(201, 'POST', path, { body: widget({ size: 1 }) })
        const other = await api.expect(200, 'GET', `${path.replace('/v1/', '/v1beta1/')}/a`)
        includes(other, { apiVersion: `${group}/v1beta1`, kind: 'Widget', spec: { size: 1 } })
      },
    },
    {
      name: 'keeps the status apart, counts generations and scales',
      run: async (api) => {
        const { path, widget } = await define(api)
        strictEqual(
          (await api.expect(201, 'POST', path, { body: { ...widget({ size: 1 }), status: { size: 9 } } })).status,
          undefined,
        )
        includes(
          await api.expect(200, 'PATCH', `${path}/a/status`, { body: { spec: { size: 5 }, status: { size: 1 } } }),
          { metadata: { generation: 1 }, spec: { size: 1 }, status: { size: 1 } },
        )
        includes(await api.expect(200, 'PATCH', `${path}/a/scale`, { body: { spec: { replicas: 3 } } }), {
          kind: 'Scale',
          spec: { replicas: 3 },
          status: { replicas: 1 },
        })
        includes(await api.expect(200, 'GET', `${path}/a`), { metadata: { generation: 2 }, spec: { size: 3 } })
      },
    },
    {
      name: 'prints its columns and is discovered',
      run: async (api) => {
        const { group, path, widget } = await define(api)
        await api.expect(201, 'POST', path, { body: widget({ size: 4 }) })
        const table = await api.expect(200, 'GET', path, {
          headers: { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
        })
        deepStrictEqual(table.rows[0]?.cells, ['a', 4])
        const { resources } = await api.expect(200, 'GET', `/apis/${group}/v1`)
        deepStrictEqual(resources.map(({ name }) => name).toSorted(), ['widgets', 'widgets/scale', 'widgets/status'])
      },
    },
    {
      name: 'takes its objects along when it goes',
      run: async (api) => {
        const { group, path, widget } = await define(api)
        await api.expect(201, 'POST', path, { body: widget({ size: 4 }) })
        await api.expect(200, 'DELETE', `${DEFINITIONS}/widgets.${group}`)
        await until(async () => (await api.send('GET', path)).status === 404)
        await until(async () => (await api.send('GET', `${DEFINITIONS}/widgets.${group}`)).status === 404)
      },
    },
    {
      name: 'is refused when its schema is not structural',
      run: async (api) => {
        const group = `${api.fresh('g')}.example.com`
        refused(
          await api.send('POST', DEFINITIONS, {
            body: {
              metadata: { name: `widgets.${group}` },
              spec: {
                group,
                scope: 'Namespaced',
                names: { plural: 'widgets', kind: 'Widget' },
                versions: [
                  {
                    name: 'v1',
                    served: true,
                    storage: true,
                    schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } },
                  },
                ],
              },
            },
          }),
          422,
          'Invalid',
          /Required value: must not be empty for specified object fields/,
        )
      },
    },
  ],
}
