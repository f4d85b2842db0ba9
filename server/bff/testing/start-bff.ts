/** A BFF on a free port over informers that the test fills. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createRestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { type Bff, type BffDeps, createBff } from '..'
import { FedInformers } from './fed-informers'
import { TestReader } from './live-client'

export interface TestBff {
  url: string
  bff: Bff
  informers: FedInformers
  read(topic: string, options?: { headers?: Record<string, string> }): TestReader
}

/** No API server listens there: actions that require one are tested with one. */
const NOWHERE = 'http://127.0.0.1:9'

/** Starts it until the test ends. Requests outside the BFF are answered 418. `deps` may bring a real control plane. */
export async function startBff(deps: Partial<BffDeps> = {}): Promise<TestBff> {
  const informers = new FedInformers()
  const client = createRestClient({ url: NOWHERE, token: 'none' })
  const bff = createBff({
    client,
    informers,
    clock: systemClock,
    log: createLogger({ level: 'silent' }),
    random: Math.random,
    about: { mode: 'embedded', server: NOWHERE, reconcilers: () => [] },
    allowedHosts: [],
    ...deps,
  })
  const server = createServer((request, response) => {
    void bff.handle(request, response).then((ours) => {
      if (!ours) response.writeHead(418).end()
    })
  })
  bff.attach(server)
  const url = await listen(server)
  const readers: TestReader[] = []
  onTestFinished(async () => {
    for (const reader of readers) reader.close()
    bff.close()
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
    await client.close()
  })
  const read: TestBff['read'] = (topic, options) => {
    const reader = new TestReader(url, topic, options)
    readers.push(reader)
    return reader
  }
  return { url, bff, informers, read }
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

/** Repeats the assertion until it does not throw; after 15 s of real time its last failure is thrown. */
export async function eventually<T>(assertion: () => T | Promise<T>, timeoutMs = 15_000): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await assertion()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await sleep(10)
  }
}
