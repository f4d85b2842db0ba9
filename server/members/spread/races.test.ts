/** Shares hold whatever the order in which the webhook, the loops and their writes meet. */
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { apiVersionOf } from '@/lib/kube/kind'
import {
  cloneSet as cloneSetKind,
  pod as podKind,
  workloadSpread as spreadKind,
  type CloneSet,
  type WorkloadSpread,
} from '@/lib/kube/kinds'
import { seededRng } from '@/lib/std/rng'
import type { Fault } from '@/server/testing/faulty-client'
import { count, scenario, SpreadMember, subsetOf } from './testing/spread-member'

let seen: SpreadMember | undefined
afterEach(async () => {
  await seen?.close()
  seen = undefined
})

const SEEDS = Array.from({ length: 6 }, (_, index) => index + 1)
const MAX_ROUNDS = 40
/** One of so many writes fails before it is sent. */
const FAILS_ONCE_IN = 60

const SHARES = (size: number) => ({ 'subset-a': size / 5, 'subset-b': size / 5, 'subset-c': (size / 5) * 3 })

/** Writes of pods take some turns of the event loop, and a few of them fail. */
function adverse(seed: number): Fault[] {
  const rng = seededRng(seed)
  const lag = async (): Promise<void> => {
    for (let turns = Math.floor(rng.next() ** 3 * MAX_ROUNDS); turns > 0; turns--) await nextTurn()
    if (rng.next() * FAILS_ONCE_IN < 1) throw new Error('the connection was lost')
  }
  return (['create', 'delete', 'patch'] as const).map((verb) => ({ verb, kind: podKind, times: Infinity, before: lag }))
}

async function begin(seed: number): Promise<SpreadMember> {
  const zones = ['zone-a', 'zone-b', 'zone-c'].map((name) => ({ 'topology.kubernetes.io/zone': name }))
  const started = await SpreadMember.start('zones-1-1-3', zones, ...adverse(seed))
  seen = started
  const [spread, set] = readFileSync(scenario(3), 'utf8')
    .split(/^---$/m)
    .map((text) => parse(text) as unknown)
  await started.member.client.create(spreadKind, {
    ...(spread as WorkloadSpread),
    apiVersion: apiVersionOf(spreadKind),
  })
  await started.member.client.create(cloneSetKind, { ...(set as CloneSet), apiVersion: apiVersionOf(cloneSetKind) })
  return started
}

async function settles(member: SpreadMember, size: number): Promise<void> {
  await member.member.env.eventually(
    async () => {
      expect(count(await member.pods(), subsetOf)).toEqual(SHARES(size))
    },
    { timeoutMs: 60_000 },
  )
}

test.each(SEEDS)(
  'a CloneSet of 100 shrinks to 10 and grows again with its shares, and no pod more goes than has to (seed %i)',
  { timeout: 240_000 },
  async (seed) => {
    const member = await begin(seed)
    await settles(member, 10)
    for (const _round of [1, 2]) {
      await member.scale(100)
      await settles(member, 100)
      const before = new Set((await member.pods()).map(({ metadata }) => metadata.uid))
      await member.scale(10)
      await settles(member, 10)
      const kept = (await member.pods()).filter(({ metadata }) => before.has(metadata.uid))
      expect(count(kept, subsetOf)).toEqual(SHARES(10))
    }
  },
)
