import { afterEach, beforeEach, expect, test } from 'vitest'
import { workloadSpread as spreadKind, type WorkloadSpread } from '@/lib/kube/kinds'
import { type Env, startEnv } from '@/server/testing/start-env'
import { SpreadStatusWriter, type StatusUpdate } from './status-writer'

let env: Env
let spread: WorkloadSpread
beforeEach(async () => {
  env = await startEnv()
  const targetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
  spread = await env.client.create(spreadKind, {
    apiVersion: 'apps.kruise.io/v1beta1',
    kind: 'WorkloadSpread',
    metadata: { name: 'web', namespace: 'default' },
    spec: { targetRef, subsets: [{ name: 'a' }] },
  })
})
afterEach(() => env.close())

const openWriter = () =>
  new SpreadStatusWriter({
    client: env.client,
    spreads: env.informers.of(spreadKind),
    clock: env.clock,
    random: () => 0,
  })
const countOf = ({ status }: WorkloadSpread): number => status?.subsetStatuses?.[0]?.replicas ?? 0
/** Raises a number in the status. */
const raise: StatusUpdate<number> = (current) => {
  const replicas = countOf(current) + 1
  return { status: { subsetStatuses: [{ name: 'a', replicas, missingReplicas: 0 }] }, changed: true, result: replicas }
}
const stored = () => env.client.get(spreadKind, { namespace: 'default', name: 'web' })

/** Lets the fake clock run while something is awaited. */
async function flowing<T>(work: Promise<T>): Promise<T> {
  let over = false
  const done = work.finally(() => {
    over = true
  })
  await env.eventually(() => expect(over).toBe(true))
  return done
}

test('every update finds those before it, and a burst costs few writes', async () => {
  const statusWriter = openWriter()
  const results = await flowing(Promise.all(Array.from({ length: 100 }, () => statusWriter.submit(spread, raise))))
  expect(results.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(countOf(await stored())).toBe(100)
  expect(statusWriter.figures.writes).toBeLessThan(10)
})

test('two processes never lose what the other entered', async () => {
  const statusWriters = [openWriter(), openWriter()]
  const results = await flowing(
    Promise.allSettled(
      statusWriters.flatMap((statusWriter) => Array.from({ length: 20 }, () => statusWriter.submit(spread, raise))),
    ),
  )
  const entered = results.filter(({ status }) => status === 'fulfilled').length
  expect(entered).toBeGreaterThan(0)
  expect(countOf(await stored())).toBe(entered)
  expect(statusWriters.reduce((sum, { figures }) => sum + figures.conflicts, 0)).toBeGreaterThan(0)
})

test('an update without changes writes nothing', async () => {
  const statusWriter = openWriter()
  const before = (await stored()).metadata.resourceVersion
  expect(await statusWriter.submit(spread, () => ({ status: {}, changed: false, result: 'same' }))).toBe('same')
  expect((await stored()).metadata.resourceVersion).toBe(before)
})

test('a deleted spread returns undefined', async () => {
  const statusWriter = openWriter()
  await env.client.delete(spreadKind, { namespace: 'default', name: 'web' })
  expect(await flowing(statusWriter.submit(spread, raise))).toBeUndefined()
})

test('another spread of the same name is not written to', async () => {
  const statusWriter = openWriter()
  await env.client.delete(spreadKind, { namespace: 'default', name: 'web' })
  const { apiVersion, kind, spec } = spread
  await env.client.create(spreadKind, {
    apiVersion,
    kind,
    metadata: { name: 'web', namespace: 'default' },
    ...(spec && { spec }),
  })
  expect(await flowing(statusWriter.submit(spread, raise))).toBeUndefined()
  expect(countOf(await stored())).toBe(0)
})
