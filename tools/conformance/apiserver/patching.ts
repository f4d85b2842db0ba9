/** Patches in all forms, and server-side apply. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { type Api, includes, type Json, refused } from './api'
import { configMap, configMaps, deployment, deployments, type Topic } from './case'

const FORMS = [
  ['application/merge-patch+json', { data: { a: '1', k: null } }],
  ['application/strategic-merge-patch+json', { data: { a: '1', k: null } }],
  [
    'application/json-patch+json',
    [
      { op: 'test', path: '/data/k', value: 'v' },
      { op: 'remove', path: '/data/k' },
      { op: 'add', path: '/data/a', value: '1' },
    ],
  ],
] as const

export const patching: Topic = {
  topic: 'patch',
  cases: [
    ...FORMS.map(([type, body]) => ({
      name: `takes ${type}`,
      run: async (api: Api) => {
        await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        const { data } = await api.expect(200, 'PATCH', `${configMaps(api)}/a`, { body, type })
        deepStrictEqual(data, { a: '1' })
      },
    })),
    {
      name: 'merges lists by key in a strategic patch, and takes its directives',
      run: async (api) => {
        await api.expect(201, 'POST', deployments(api), { body: deployment('a') })
        const patch = (containers: unknown[]) =>
          api.expect(200, 'PATCH', `${deployments(api)}/a`, {
            type: 'application/strategic-merge-patch+json',
            body: { spec: { template: { spec: { containers } } } },
          })
        const names = ({ spec }: Json): unknown[] => spec.template.spec.containers.map(({ name }) => name).toSorted()
        deepStrictEqual(names(await patch([{ name: 'd', image: 'i' }])), ['c', 'd'])
        deepStrictEqual(names(await patch([{ name: 'c', $patch: 'delete' }])), ['d'])
      },
    },
    {
      name: 'refuses what cannot be applied, and forms that it does not know',
      run: async (api) => {
        await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        const send = (type: string, body: unknown) => api.send('PATCH', `${configMaps(api)}/a`, { type, body })
        refused(
          await send('application/json-patch+json', [{ op: 'test', path: '/data/k', value: 'w' }]),
          422,
          'Invalid',
        )
        refused(await send('application/json-patch+json', { op: 'add' }), 400, 'BadRequest')
        refused(await send('text/plain', {}), 415, 'UnsupportedMediaType')
      },
    },
  ],
}

const APPLY = 'application/apply-patch+yaml'

function applied(api: Api, manager: string, data: object, more = ''): ReturnType<Api['send']> {
  return api.send('PATCH', `${configMaps(api)}/a?fieldManager=${manager}${more}`, {
    type: APPLY,
    body: configMap('a', {}, data),
  })
}

export const applying: Topic = {
  topic: 'server-side apply',
  cases: [
    {
      name: 'creates, and writes down who owns what',
      run: async (api) => {
        const { status, body } = await applied(api, 'one', { k: 'v' })
        strictEqual(status, 201)
        includes(body.metadata.managedFields, [
          {
            manager: 'one',
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:k': {} } },
          },
        ])
      },
    },
    {
      name: 'removes what its owner no longer applies, and leaves what others own',
      run: async (api) => {
        await applied(api, 'one', { k: 'v', gone: 'x' })
        await applied(api, 'two', { other: 'y' })
        const { body } = await applied(api, 'one', { k: 'v' })
        deepStrictEqual(body.data, { k: 'v', other: 'y' })
      },
    },
    {
      name: 'tells of conflicts, and takes over by force',
      run: async (api) => {
        await applied(api, 'one', { k: 'v' })
        const answer = await applied(api, 'two', { k: 'w' })
        refused(answer, 409, 'Conflict', 'Apply failed with 1 conflict: conflict with "one": .data.k')
        includes(answer.body.details, {
          causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.k' }],
        })
        const { body } = await applied(api, 'two', { k: 'w' }, '&force=true')
        strictEqual(body.data.k, 'w')
        deepStrictEqual(
          body.metadata.managedFields.map(({ manager }) => manager),
          ['two'],
        )
      },
    },
    {
      name: 'takes a conflict from who updated a field since, and shares what is the same',
      run: async (api) => {
        await applied(api, 'one', { k: 'v' })
        await api.expect(200, 'PATCH', `${configMaps(api)}/a?fieldManager=editor`, { body: { data: { k: 'w' } } })
        refused(await applied(api, 'one', { k: 'v' }), 409, 'Conflict', /conflict with "editor" using v1/)
        strictEqual((await applied(api, 'one', { k: 'w' })).status, 200)
      },
    },
    {
      name: 'wants to know who applies, and refuses owners in the configuration',
      run: async (api) => {
        const send = (query: string, body: unknown) =>
          api.send('PATCH', `${configMaps(api)}/a${query}`, { type: APPLY, body })
        refused(
          await send('', configMap('a')),
          422,
          'Invalid',
          /fieldManager: Required value: is required for apply patch/,
        )
        refused(
          await send('?fieldManager=one', configMap('a', { managedFields: [{ manager: 'x' }] })),
          400,
          'BadRequest',
          /metadata\.managedFields must be nil/,
        )
      },
    },
  ],
}
