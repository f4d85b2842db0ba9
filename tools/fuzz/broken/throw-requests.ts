/** Thousands of broken requests: each must get a response that clients understand, and the server must keep running. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import { ADMIN_TOKEN, startTestServer, type TestServer } from '@/server/apiserver/testing/start-server'
import { complaintAbout } from './complaints'
import { createRawClient, type RawAnswer } from './raw-client'
import { brokenRequest } from './requests'
import type { Seed } from './seeds'

const CLIENTS = 4
/** After this many findings the rest is skipped. */
const ENOUGH = 20
/** Memory that a server may retain after all requests. */
const MAX_MEMORY = 400e6

/** The target, the number of requests, and the seeds to mutate. */
export type Round = readonly [what: string, count: number, seeds: readonly Seed[]]

/** The tests of some rounds, against a server of their own. */
export function describeRounds(rounds: readonly Round[]): void {
  let server: TestServer
  let ticking: NodeJS.Timeout
  beforeAll(async () => {
    server = await startTestServer()
    // Some requests make the server wait.
    ticking = setInterval(() => server.clock.advance(500), 20)
  })
  afterAll(async () => {
    clearInterval(ticking)
    await server.close()
  })
  describe('answers with an object or a Status, and never with a fault of its own', () => {
    test.each(rounds)(
      '%s: %i broken requests',
      async (_what, count, seeds) => {
        const before = process.memoryUsage().heapUsed
        expect(await throwAll(server, count, seeds)).toEqual([])
        expect(server.faults).toEqual([])
        expect(await healthy(server)).toBe(true)
        expect(process.memoryUsage().heapUsed - before).toBeLessThan(MAX_MEMORY)
        expect(Object.keys(Object.prototype)).toEqual([])
      },
      120_000,
    )
  })
}

async function throwAll(server: TestServer, count: number, seeds: readonly Seed[]): Promise<string[]> {
  const findings: string[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = createRawClient(Number(new URL(server.url).port))
      while (next < count && findings.length < ENOUGH)
        findings.push(...(await throwOne(client.send, count + next++, seeds)))
      client.close()
    }),
  )
  return findings
}

/** Problems of the response to the request of this seed. */
async function throwOne(
  send: (request: Buffer) => Promise<RawAnswer>,
  seed: number,
  seeds: readonly Seed[],
): Promise<string[]> {
  const request = brokenRequest(seededRng(seed), seeds, ADMIN_TOKEN)
  const shown = `seed ${seed}: ${request.toString('latin1').slice(0, 1500)}`
  try {
    const answer = await send(request)
    const complaint = complaintAbout(answer, request.toString('latin1', 0, 4) === 'HEAD')
    return complaint ? [`${complaint}\n${answer.head}\n${answer.body.toString().slice(0, 800)}\n${shown}`] : []
  } catch (error) {
    return [`${String(error)}\n${shown}`]
  }
}

async function healthy(server: TestServer): Promise<boolean> {
  const path = '/api/v1/namespaces/kube-system/configmaps'
  const name = `healthy-${server.store.revision}`
  const { status } = await server.send('POST', path, { metadata: { name }, data: { k: 'v' } })
  return status === 201 && (await server.send('GET', `${path}/${name}`)).status === 200
}
