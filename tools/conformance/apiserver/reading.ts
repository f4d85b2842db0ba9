/** Lists, selectors, pages, watches. */
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { type Api, includes, type Json, refused } from './api'
import { configMap, configMaps, type Topic } from './case'

const namesIn = (list: Json): unknown[] => list.items.map(({ metadata }) => metadata.name)

async function makeThree(api: Api): Promise<void> {
  for (const name of ['a', 'b', 'c']) {
    await api.expect(201, 'POST', configMaps(api), { body: configMap(name, { labels: { name, three: 'yes' } }) })
  }
}

/** Some servers put an object of their own into every namespace. */
const THREE = 'labelSelector=three'

export const listing: Topic = {
  topic: 'list',
  cases: [
    {
      name: 'pages through one snapshot, whatever is written in between',
      run: async (api) => {
        await makeThree(api)
        const first = await api.expect(200, 'GET', `${configMaps(api)}?${THREE}&limit=2`)
        deepStrictEqual(namesIn(first), ['a', 'b'])
        await api.expect(200, 'DELETE', `${configMaps(api)}/c`)
        await api.expect(201, 'POST', configMaps(api), { body: configMap('d', { labels: { three: 'no' } }) })
        const second = await api.expect(
          200,
          'GET',
          `${configMaps(api)}?${THREE}&limit=2&continue=${first.metadata.continue}`,
        )
        deepStrictEqual(namesIn(second), ['c'])
        strictEqual(second.metadata.resourceVersion, first.metadata.resourceVersion)
        strictEqual(second.metadata.continue ?? '', '')
      },
    },
    {
      name: 'refuses a token that is none, and options that do not go together',
      run: async (api) => {
        refused(
          await api.send('GET', `${configMaps(api)}?limit=1&continue=nonsense`),
          400,
          'BadRequest',
          /continue key is not valid/,
        )
        refused(
          await api.send('GET', `${configMaps(api)}?resourceVersionMatch=Exact`),
          422,
          'Invalid',
          /resourceVersionMatch is forbidden unless resourceVersion is provided/,
        )
        refused(
          await api.send('GET', `${configMaps(api)}?sendInitialEvents=true`),
          422,
          'Invalid',
          /sendInitialEvents is forbidden for list/,
        )
      },
    },
    {
      name: 'selects by labels and by fields',
      run: async (api) => {
        await makeThree(api)
        const names = async (query: string): Promise<unknown[]> =>
          namesIn(await api.expect(200, 'GET', `${configMaps(api)}?${query}`))
        deepStrictEqual(await names(`labelSelector=${encodeURIComponent('name in (a,b),three')}`), ['a', 'b'])
        deepStrictEqual(await names(`labelSelector=${encodeURIComponent('three,name!=a')}`), ['b', 'c'])
        deepStrictEqual(await names('fieldSelector=metadata.name%3Db'), ['b'])
        refused(
          await api.send('GET', `${configMaps(api)}?fieldSelector=data.k%3Dv`),
          400,
          'BadRequest',
          /field label not supported|is not a known field selector/,
        )
        refused(
          await api.send('GET', `${configMaps(api)}?labelSelector=${encodeURIComponent('a in (b')}`),
          400,
          'BadRequest',
          /unable to parse requirement/,
        )
      },
    },
    {
      name: 'shows a version of the past exactly',
      run: async (api) => {
        await makeThree(api)
        const now = await api.expect(200, 'GET', `${configMaps(api)}?${THREE}`)
        await api.expect(200, 'DELETE', `${configMaps(api)}/a`)
        const then = await api.expect(
          200,
          'GET',
          `${configMaps(api)}?${THREE}&resourceVersionMatch=Exact&resourceVersion=${now.metadata.resourceVersion}`,
        )
        deepStrictEqual(namesIn(then), ['a', 'b', 'c'])
      },
    },
    {
      name: 'gives rows of a table, and metadata alone',
      run: async (api) => {
        await makeThree(api)
        const as = (form: string) => ({ headers: { Accept: `application/json;as=${form};v=v1;g=meta.k8s.io` } })
        const table = await api.expect(200, 'GET', `${configMaps(api)}?${THREE}`, as('Table'))
        deepStrictEqual(
          table.columnDefinitions.map(({ name }) => name),
          ['Name', 'Data', 'Age'],
        )
        deepStrictEqual(
          table.rows.map(({ cells }) => cells.slice(0, 2)),
          [
            ['a', 1],
            ['b', 1],
            ['c', 1],
          ],
        )
        const partial = await api.expect(200, 'GET', `${configMaps(api)}/a`, as('PartialObjectMetadata'))
        deepStrictEqual([partial.kind, partial.data, partial.metadata.name], ['PartialObjectMetadata', undefined, 'a'])
        refused(await api.send('GET', configMaps(api), { headers: { Accept: 'text/nonsense' } }), 406, 'NotAcceptable')
      },
    },
  ],
}

export const watching: Topic = {
  topic: 'watch',
  cases: [
    {
      name: 'tells what happens after a version, each event once and in order, and goes on from any of them',
      run: async (api) => {
        const { metadata } = await api.expect(200, 'GET', configMaps(api))
        const from = (version: unknown): string => `${configMaps(api)}?watch=1&resourceVersion=${String(version)}`
        await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        const watch = await api.watch(from(metadata.resourceVersion))
        await api.expect(200, 'PATCH', `${configMaps(api)}/a`, { body: { data: { k: 'w' } } })
        await api.expect(200, 'DELETE', `${configMaps(api)}/a`)
        const events = await watch.next(3)
        watch.stop()
        deepStrictEqual(
          events.map(({ type }) => type),
          ['ADDED', 'MODIFIED', 'DELETED'],
        )
        const versions = events.map(({ object }) => Number(object.metadata.resourceVersion))
        ok((versions[0] as number) < (versions[1] as number) && (versions[1] as number) < (versions[2] as number))
        const resumed = await api.watch(from(versions[0]))
        deepStrictEqual(
          (await resumed.next(2)).map(({ object }) => Number(object.metadata.resourceVersion)),
          versions.slice(1),
        )
        resumed.stop()
      },
    },
    {
      name: 'begins with what is there when no version is given',
      run: async (api) => {
        await makeThree(api)
        const watch = await api.watch(`${configMaps(api)}?watch=1&${THREE}`)
        deepStrictEqual(
          (await watch.next(3)).map(({ type, object }) => [type, object.metadata.name]),
          [
            ['ADDED', 'a'],
            ['ADDED', 'b'],
            ['ADDED', 'c'],
          ],
        )
        watch.stop()
      },
    },
    {
      name: 'streams a list and marks its end',
      run: async (api) => {
        await makeThree(api)
        const watch = await api.watch(
          `${configMaps(api)}?watch=1&${THREE}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        )
        const events = await watch.next(4)
        watch.stop()
        deepStrictEqual(
          events.map(({ type }) => type),
          ['ADDED', 'ADDED', 'ADDED', 'BOOKMARK'],
        )
        strictEqual(events[3]?.object.metadata.annotations['k8s.io/initial-events-end'], 'true')
      },
    },
    {
      name: 'turns a change of selected labels into ADDED and DELETED',
      run: async (api) => {
        const { metadata } = await api.expect(200, 'GET', configMaps(api))
        const watch = await api.watch(
          `${configMaps(api)}?watch=1&resourceVersion=${metadata.resourceVersion}&labelSelector=on`,
        )
        await api.expect(201, 'POST', configMaps(api), { body: configMap('a') })
        await api.expect(200, 'PATCH', `${configMaps(api)}/a`, { body: { metadata: { labels: { on: 'yes' } } } })
        const left = await api.expect(200, 'PATCH', `${configMaps(api)}/a`, { body: { metadata: { labels: null } } })
        const [added, deleted] = await watch.next(2)
        watch.stop()
        strictEqual(added?.type, 'ADDED')
        includes(deleted, {
          type: 'DELETED',
          object: { metadata: { labels: { on: 'yes' }, resourceVersion: left.metadata.resourceVersion } },
        })
      },
    },
    {
      name: 'says with 410 that a version is too old',
      run: async (api) => {
        const watch = await api.watch(`${configMaps(api)}?watch=1&resourceVersion=1`)
        includes(await watch.next(1), [{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }])
        await watch.ended()
      },
    },
    {
      name: 'ends when its time is up',
      run: async (api) => {
        const watch = await api.watch(`${configMaps(api)}?watch=1&timeoutSeconds=1`)
        await watch.ended()
      },
    },
    {
      name: 'refuses options that do not go together',
      run: async (api) => {
        refused(
          await api.send('GET', `${configMaps(api)}?watch=1&resourceVersionMatch=Exact`),
          422,
          'Invalid',
          /resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided/,
        )
        refused(await api.send('GET', `${configMaps(api)}?watch=1&sendInitialEvents=true`), 422, 'Invalid')
      },
    },
  ],
}
