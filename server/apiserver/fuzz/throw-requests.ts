/** Thousands of broken requests: always an answer of a kind that clients know, and a server that goes on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRng } from '@/lib/std/rng'
import { startTestServer, type TestServer } from '../testing/start-server'
import { createRawClient, type RawAnswer } from './raw-client'
import { brokenRequest } from './requests'
import type { Seed } from './seeds'

const CLIENTS = 4
/** Findings after which the rest is not tried. */
const ENOUGH = 20
/** What a server may keep for good of all that was thrown at it. */
const MOST_MEMORY = 400e6

/** What is thrown at, how often, and what is broken for it. */
export type Round = readonly [what: string, count: number, seeds: readonly Seed[]]

/** The tests of some rounds, against a server of their own. */
export function describeRounds(rounds: readonly Round[]): void {
  let server: TestServer
  let ticking: NodeJS.Timeout
  beforeAll(async () => {
    server = await startTestServer()
    // Some requests ask the server to wait.
    ticking = setInterval(() => server.clock.advance(500), 20)
  })
  afterAll(async () => {
    clearInterval(ticking)
    await server.close()
  })
  describe('answers with an object or a Status, and never with a fault of its own', () => {
    test.each(rounds)('%s: %i broken requests', async (_what, count, seeds) => {
      const before = process.memoryUsage().heapUsed
      expect(await throwAll(server, count, seeds)).toEqual([])
      expect(server.faults).toEqual([])
      expect(await healthy(server)).toBe(true)
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(MOST_MEMORY)
      expect(Object.keys(Object.prototype)).toEqual([])
    }, 120_000)
  })
}

async function throwAll(server: TestServer, count: number, seeds: readonly Seed[]): Promise<string[]> {
  const findings: string[] = []
  let next = 0
  await Promise.all(Array.from({ length: CLIENTS }, async () => {
    const client = createRawClient(Number(new URL(server.url).port))
    while (next < count && findings.length < ENOUGH)
      findings.push(...(await throwOne(client.send, count + next++, seeds)))
    client.close()
  }))
  return findings
}

/** What is wrong with the answer to the request of this seed. */
async function throwOne(
  send: (request: Buffer) => Promise<RawAnswer>,
  seed: number,
  seeds: readonly Seed[],
): Promise<string[]> {
  const request = brokenRequest(seededRng(seed), seeds)
  const shown = `seed ${seed}: ${request.toString('latin1').slice(0, 1500)}`
  try {
    const answer = await send(request)
    const complaint = complaintAbout(answer, request.toString('latin1', 0, 4) === 'HEAD')
    return complaint ? [`${complaint}\n${answer.head}\n${answer.body.toString().slice(0, 800)}\n${shown}`] : []
  } catch (error) {
    return [`${String(error)}\n${shown}`]
  }
}

/** Where an API server answers 500 to what a client did, and in which words. */
const UPSTREAM_FAULTS = [
  /^resourceVersion: Invalid value: ".*": strconv\.ParseUint: parsing ".*": invalid syntax$/s,
  /^strconv\.ParseUint: parsing ".*": invalid syntax$/s, /^resourceVersion should not be set on objects to be created$/,
  /^Internal error occurred: (failed|admission|error) /,
  /^failed to create typed (patch|live) object /,
]

function complaintAbout({ status, head, body, streams }: RawAnswer, withoutBody: boolean): string | undefined {
  const text = body.toString()
  if (/\n {4}at |node:internal|TypeError|RangeError|ReferenceError/.test(text))
    return 'the answer shows the inside of the server'
  if (!Number.isInteger(status) || status < 200) return 'no answer'
  if (streams || withoutBody || status < 400) return undefined
  if (/^HTTP\/1\.1 \d+ [^\r]*\r\n(?=[^]*content-type: text\/plain)/i.test(head))
    return status < 500 ? undefined : 'a fault as text'
  if (head.startsWith('HTTP/1.1 400 Bad Request\r\nConnection: close')) return undefined
  if (head.includes('application/yaml')) return text.includes('kind: Status') ? undefined : 'no Status'
  return complaintAboutStatus(text, status)
}

function complaintAboutStatus(text: string, code: number): string | undefined {
  const body = parsed(text)
  if (body?.kind !== 'Status' || body.status !== 'Failure') return 'no Status'
  if (body.code !== code || typeof body.message !== 'string') return 'a Status that contradicts itself'
  if (code < 500 && body.message === '') return 'a refusal without a word'
  if (code === 500 && !UPSTREAM_FAULTS.some((fault) => fault.test(body.message as string)))
    return 'a fault of the server'
  return undefined
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

async function healthy(server: TestServer): Promise<boolean> {
  const path = '/api/v1/namespaces/kube-system/configmaps'
  const name = `healthy-${server.store.revision}`
  const { status } = await server.send('POST', path, { metadata: { name }, data: { k: 'v' } })
  return status === 201 && (await server.send('GET', `${path}/${name}`)).status === 200
}
