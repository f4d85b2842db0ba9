/** A page that reconnects to another instance receives the differences only. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { sampleBinding, sampleCluster } from '@/lib/view/project/testing/samples'
import { TestReader } from '../testing/live-client'
import { eventually, startBff, type TestBff } from '../testing/start-bff'

const WORKLOADS = 600
const CHANGED = 10

const nameOf = (index: number): string => `app-${String(index).padStart(3, '0')}`

/** An instance with its own copy of the same fleet. */
async function startInstance(): Promise<TestBff> {
  const instance = await startBff()
  for (const name of ['m1', 'm2']) instance.informers.of(cluster).put(sampleCluster(name))
  for (let index = 0; index < WORKLOADS; index += 1)
    instance.informers.of(resourceBinding).put(sampleBinding({ name: nameOf(index) }))
  instance.informers.syncAll()
  return instance
}

/** One address that leads to whichever instance is named last; what was open is cut. */
async function startSwitch(): Promise<{ url: string; leadTo(url: string): void }> {
  const open = new Set<Socket>()
  let target = ''
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from)
      from
        .on('error', () => to.destroy())
        .on('close', () => to.destroy())
        .pipe(to)
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = (): void => {
    for (const socket of open) socket.destroy()
    open.clear()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const leadTo = (url: string): void => {
    target = url
    cut()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, leadTo }
}

test('over a real socket, at a small part of the cost of the whole list', async () => {
  const [one, two] = [await startInstance(), await startInstance()]
  const way = await startSwitch()
  way.leadTo(one.url)
  const reader = new TestReader(way.url, 'workloads')
  onTestFinished(() => reader.close())
  await eventually(() => expect([reader.state.phase, reader.state.entities.size]).toEqual(['live', WORKLOADS]))
  const whole = sizeOf(reader)
  const kept = reader.held[idOf(WORKLOADS - 1)]

  reader.received.length = 0
  reader.texts.length = 0
  for (let index = 0; index < CHANGED; index += 1)
    two.informers.of(resourceBinding).put(sampleBinding({ name: nameOf(index), clusters: { m1: 7 } }))
  two.informers.of(resourceBinding).remove(sampleBinding({ name: nameOf(CHANGED) }))
  way.leadTo(two.url)
  const fresh = two.read('workloads')
  await eventually(() => expect([reader.state.phase, fresh.state.phase]).toEqual(['live', 'live']))
  await eventually(() => expect(reader.held).toEqual(fresh.held))
  expect(reader.state.entities.size).toBe(WORKLOADS - 1)
  expect(reader.held[idOf(WORKLOADS - 1)]).toBe(kept)
  expect(reader.messages('snapshot')).toEqual([])
  expect(reader.messages('compare')).toHaveLength(1)
  expect(whole / sizeOf(reader)).toBeGreaterThan(8)
})

const idOf = (index: number): string => `apps~v1/Deployment/demo/${nameOf(index)}`
const sizeOf = (reader: TestReader): number => reader.texts.reduce((sum, text) => sum + text.length, 0)
