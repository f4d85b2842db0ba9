/** Measures the start of a server with many objects: time to the first response, and memory. */
import { openSqliteStore } from '@/server/apiserver'
import { openConnection } from './connection'
import { round } from './figures'
import { configMap, CONFIG_MAPS, expectSuccess } from './objects'
import { startServerProcess } from './server-process'
import type { UnknownObject } from '@/lib/kube/object'

const OBJECTS = 50_000
const AT_ONCE = 500

/** Fills `file` with objects as a server stores them, and starts a server on it. */
export async function coldStart(program: string, file: string): Promise<object> {
  await fill(file)
  const server = await startServerProcess(program, file)
  const { loaded, opened, serving } = server.ready
  const answered = performance.now()
  const connection = await openConnection(server.ready.port)
  expectSuccess(await connection.send('GET', `${CONFIG_MAPS}/o-${OBJECTS - 1}`))
  const firstAnswer = performance.now() - answered
  const { residentMegabytes } = await server.usage()
  connection.close()
  await server.kill()
  return {
    objects: OBJECTS,
    milliseconds: Math.round(server.startMilliseconds + firstAnswer),
    ofWhich: {
      loadingTheProgram: Math.round(server.startMilliseconds - (serving - loaded)),
      openingTheStore: Math.round(opened - loaded),
      untilItServes: Math.round(serving - opened),
      firstAnswer: Math.round(firstAnswer),
    },
    residentMegabytes: round(residentMegabytes),
    limit: 'reading the file and its checksums; objects are parsed at their first read',
  }
}

async function fill(file: string): Promise<void> {
  const store = await openSqliteStore(file)
  for (let from = 0; from < OBJECTS; from += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, offset) => {
        const name = `o-${from + offset}`
        return store.put({ keyspace: '', resource: 'configmaps', key: `default/${name}` }, stored(name), 0)
      }),
    )
  }
  await store.close()
}

function stored(name: string): UnknownObject {
  const object = JSON.parse(configMap(name)) as UnknownObject
  const metadata = {
    ...object.metadata,
    namespace: 'default',
    uid: `00000000-0000-4000-8000-${name.slice(2).padStart(12, '0')}`,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [
      {
        manager: 'bench',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:payload': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } },
      },
    ],
  }
  return { ...object, metadata }
}
