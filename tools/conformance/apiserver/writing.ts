/** Create, update, delete: fields set by the server, options of clients, and refusals. */
import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert/strict'
import { includes, refused } from './api'
import { configMap, configMaps, deployment, deployments, ofCore, type Topic } from './case'

export const creating: Topic = {
  topic: 'create',
  cases: [
    {
      name: 'fills in what belongs to the server, and defaults',
      run: async (api) => {
        const body = await api.expect(201, 'POST', deployments(api), { body: deployment('a') })
        includes(body, {
          metadata: { namespace: api.namespace, generation: 1 },
          spec: { revisionHistoryLimit: 10, strategy: { type: 'RollingUpdate' } },
        })
        for (const field of ['uid', 'resourceVersion', 'creationTimestamp'] as const)
          match(String(body.metadata[field]), /./)
      },
    },
    {
      name: 'makes up a name',
      run: async (api) => {
        const body = await api.expect(201, 'POST', configMaps(api), { body: { metadata: { generateName: 'made-' } } })
        match(String(body.metadata.name), /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      },
    },
    {
      name: 'leaves nothing behind in a dry run',
      run: async (api) => {
        await api.expect(201, 'POST', `${configMaps(api)}?dryRun=All`, { body: configMap('a') })
        await api.expect(404, 'GET', `${configMaps(api)}/a`)
      },
    },
    {
      name: 'refuses a name that is taken',
      run: async (api) => {
        await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        refused(
          await api.send('POST', configMaps(api), { body: configMap('a') }),
          409,
          'AlreadyExists',
          'configmaps "a" already exists',
        )
      },
    },
    {
      name: 'refuses a namespace that is not there, and another one in the body',
      run: async (api) => {
        const absent = api.fresh('absent')
        refused(
          await api.send('POST', ofCore(absent, 'configmaps'), { body: configMap('a') }),
          404,
          'NotFound',
          `namespaces "${absent}" not found`,
        )
        refused(
          await api.send('POST', configMaps(api), { body: configMap('a', { namespace: 'x' }) }),
          400,
          'BadRequest',
          'the namespace of the provided object does not match the namespace sent on the request',
        )
      },
    },
    {
      name: 'refuses an invalid name with its cause',
      run: async (api) => {
        const answer = await api.send('POST', configMaps(api), { body: configMap('Not_Valid') })
        refused(answer, 422, 'Invalid', /^ConfigMap "Not_Valid" is invalid: metadata\.name: Invalid value: "Not_Valid"/)
        includes(answer.body.details, {
          name: 'Not_Valid',
          kind: 'ConfigMap',
          causes: [{ reason: 'FieldValueInvalid', field: 'metadata.name' }],
        })
      },
    },
    {
      name: 'refuses what is no JSON, another kind, a wrong type, and an unknown format',
      run: async (api) => {
        const send = (body: unknown, type?: string) =>
          api.send('POST', configMaps(api), { body, ...(type && { type }) })
        refused(await send('{oops}'), 400, 'BadRequest', /json parse error: invalid character 'o'/)
        refused(
          await send({ ...configMap('a'), kind: 'Secret' }),
          400,
          'BadRequest',
          /cannot be handled as a ConfigMap/,
        )
        refused(
          await send({ metadata: { name: 'a' }, data: { k: 1 } }),
          400,
          'BadRequest',
          /cannot be handled as a ConfigMap/,
        )
        refused(await send('x', 'text/plain'), 415, 'UnsupportedMediaType')
      },
    },
    {
      name: 'refuses a body of more than 3 MiB',
      run: async (api) =>
        refused(
          await api.send('POST', configMaps(api), { body: configMap('a', {}, { k: 'x'.repeat(3_200_000) }) }),
          413,
          'RequestEntityTooLarge',
        ),
    },
    {
      name: 'warns of unknown fields, or refuses them, or says nothing',
      run: async (api) => {
        const send = (mode: string) =>
          api.send('POST', `${configMaps(api)}?dryRun=All&fieldValidation=${mode}`, {
            body: { ...configMap('a'), nope: 1 },
          })
        refused(await send('Strict'), 400, 'BadRequest', /strict decoding error: unknown field "nope"/)
        strictEqual((await send('Warn')).headers.warning, '299 - "unknown field \\"nope\\""')
        strictEqual((await send('Ignore')).headers.warning, undefined)
        refused(await send('Sometimes'), 422, 'Invalid')
      },
    },
  ],
}

export const updating: Topic = {
  topic: 'update',
  cases: [
    {
      name: 'refuses a stale version with Conflict',
      run: async (api) => {
        const old = await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        await api.expect(200, 'PATCH', `${configMaps(api)}/a`, { body: { data: { k: 'w' } } })
        refused(
          await api.send('PUT', `${configMaps(api)}/a`, { body: old }),
          409,
          'Conflict',
          'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
        )
      },
    },
    {
      name: 'writes nothing when nothing changes',
      run: async (api) => {
        const body = await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        const again = await api.expect(200, 'PUT', `${configMaps(api)}/a`, { body })
        strictEqual(again.metadata.resourceVersion, body.metadata.resourceVersion)
      },
    },
    {
      name: 'keeps status and spec apart, and counts generations',
      run: async (api) => {
        await api.expect(201, 'POST', deployments(api), { body: deployment('a') })
        const status = await api.expect(200, 'PATCH', `${deployments(api)}/a/status`, {
          body: { spec: { paused: true }, status: { observedGeneration: 7 } },
        })
        includes(status, { metadata: { generation: 1 }, status: { observedGeneration: 7 } })
        strictEqual(status.spec.paused, undefined)
        const spec = await api.expect(200, 'PATCH', `${deployments(api)}/a`, {
          body: { spec: { paused: true }, status: { observedGeneration: 99 } },
        })
        includes(spec, { metadata: { generation: 2 }, spec: { paused: true } })
        notStrictEqual(spec.status.observedGeneration, 99)
      },
    },
    {
      name: 'does not change what cannot be changed',
      run: async (api) => {
        await api.expect(201, 'POST', deployments(api), { body: deployment('a') })
        refused(
          await api.send('PATCH', `${deployments(api)}/a`, {
            body: {
              spec: { selector: { matchLabels: { app: 'x' } }, template: { metadata: { labels: { app: 'x' } } } },
            },
          }),
          422,
          'Invalid',
          /spec\.selector: Invalid value: .*: field is immutable/,
        )
        refused(
          await api.send('PATCH', `${deployments(api)}/a`, { body: { metadata: { name: 'b' } } }),
          400,
          'BadRequest',
        )
      },
    },
    {
      name: 'creates a Lease by PUT, but no ConfigMap',
      run: async (api) => {
        const lease = {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'Lease',
          metadata: { name: 'l' },
          spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
        }
        await api.expect(201, 'PUT', `/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases/l`, {
          body: lease,
        })
        refused(await api.send('PUT', `${configMaps(api)}/none`, { body: configMap('none') }), 404, 'NotFound')
      },
    },
    {
      name: 'scales through the scale',
      run: async (api) => {
        await api.expect(201, 'POST', deployments(api), { body: deployment('a') })
        const scale = await api.expect(200, 'GET', `${deployments(api)}/a/scale`)
        includes(scale, { kind: 'Scale', apiVersion: 'autoscaling/v1', spec: {}, status: { selector: 'app=w' } })
        await api.expect(200, 'PATCH', `${deployments(api)}/a/scale?dryRun=All`, { body: { spec: { replicas: 3 } } })
        strictEqual((await api.expect(200, 'GET', `${deployments(api)}/a`)).spec.replicas, 0)
      },
    },
  ],
}

export const deleting: Topic = {
  topic: 'delete',
  cases: [
    {
      name: 'waits for finalizers',
      run: async (api) => {
        await api.expect(201, 'POST', configMaps(api), {
          body: configMap('a', { finalizers: ['test.example.com/hold'] }),
        })
        const held = await api.expect(200, 'DELETE', `${configMaps(api)}/a`)
        match(String(held.metadata.deletionTimestamp), /^\d{4}-/)
        await api.expect(200, 'PATCH', `${configMaps(api)}/a`, { body: { metadata: { finalizers: null } } })
        refused(await api.send('GET', `${configMaps(api)}/a`), 404, 'NotFound', 'configmaps "a" not found')
      },
    },
    {
      name: 'adds no finalizer to what is going away',
      run: async (api) => {
        await api.expect(201, 'POST', configMaps(api), {
          body: configMap('a', { finalizers: ['test.example.com/hold'] }),
        })
        await api.expect(200, 'DELETE', `${configMaps(api)}/a`)
        const answer = await api.send('PATCH', `${configMaps(api)}/a`, {
          body: { metadata: { finalizers: ['test.example.com/hold', 'test.example.com/more'] } },
        })
        await api.send('PATCH', `${configMaps(api)}/a`, { body: { metadata: { finalizers: null } } })
        refused(
          answer,
          422,
          'Invalid',
          /metadata\.finalizers: Forbidden: no new finalizers can be added if the object is being deleted/,
        )
      },
    },
    {
      name: 'honours preconditions and refuses a policy that does not exist',
      run: async (api) => {
        await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        refused(
          await api.send('DELETE', `${configMaps(api)}/a`, { body: { preconditions: { uid: 'another' } } }),
          409,
          'Conflict',
        )
        refused(
          await api.send('DELETE', `${configMaps(api)}/a`, { body: { propagationPolicy: 'Later' } }),
          422,
          'Invalid',
        )
        await api.expect(200, 'GET', `${configMaps(api)}/a`)
      },
    },
    {
      name: 'answers with a Status that names what is gone',
      run: async (api) => {
        const { metadata } = await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        const body = await api.expect(200, 'DELETE', `${configMaps(api)}/a`)
        deepStrictEqual(body, {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Success',
          details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
        })
      },
    },
    {
      name: 'empties a collection by selector',
      run: async (api) => {
        for (const [name, doomed] of [
          ['a', 'yes'],
          ['b', 'no'],
        ] as const) {
          await api.expect(201, 'POST', configMaps(api), { body: configMap(name, { labels: { doomed } }) })
        }
        await api.expect(200, 'DELETE', `${configMaps(api)}?labelSelector=doomed%3Dyes`)
        await api.expect(404, 'GET', `${configMaps(api)}/a`)
        await api.expect(200, 'GET', `${configMaps(api)}/b`)
      },
    },
  ],
}
