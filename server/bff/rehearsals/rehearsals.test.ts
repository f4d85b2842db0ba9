import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readScenario } from '@/lib/domain/rehearsal/read-scenario'
import type { Scenario } from '@/lib/domain/rehearsal/scenario'
import { message } from '@/lib/messages/message'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { RehearsalResultView, RehearsalView } from '@/lib/view/rehearsal-model'
import type { KubeClient } from '@/server/kube/client'
import { createRestClient } from '@/server/kube/rest-client'
import { createLogger } from '@/server/telemetry/logger'
import {
  MAX_KEPT,
  MAX_OF_USER,
  MAX_WAITING,
  type ReadableScope,
  type RehearsalOrder,
  type RehearsalOutcome,
  Rehearsals,
  WALL_LIMIT_MS,
} from './rehearsals'

const TEXT = `{ apiVersion: evenkeel.io/v1alpha1, kind: Scenario, metadata: { name: lose-a },
  spec: { duration: 5m, steps: [{ at: 0s, lose: { clusters: [a] } }, { at: 2m, recover: { clusters: [a] } }],
          assertions: [{ keepBudgets: {} }] } }`

function scenario(): Scenario {
  const read = readScenario(TEXT)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.scenario
}

const RESULT: RehearsalResultView = {
  takenAt: '2026-01-01T00:00:00Z',
  source: 'here',
  clusters: 1,
  workloads: 1,
  settledMs: 0,
  incomplete: { count: 0, names: [] },
  proof: { workloads: 1, kept: 1, percent: 100, notCompared: 0, moved: [] },
  omissions: [],
  assertions: [
    { name: 'keepBudgets', kind: 'keepBudgets', passed: false, judged: 1, breaches: 1, evidence: [] },
    { name: 'maxLoad', kind: 'maxLoad', passed: true, judged: 0, breaches: 0, evidence: [] },
  ],
  steps: [],
  course: [],
  loads: [],
  moves: [],
  movesTotal: 0,
  incidents: [],
  plans: [],
}
const OUTCOME: RehearsalOutcome = { result: RESULT, recording: { incidents: [], plans: [] }, worst: undefined }

const ALL: ReadableScope = { everything: true, namespaces: [] }
const yes = (): boolean => true

/** Rehearsals whose work the test ends by hand, oldest first. */
function start() {
  const orders: { order: RehearsalOrder; end: PromiseWithResolvers<RehearsalOutcome> }[] = []
  const clock = createFakeClock()
  let next = 0
  const rehearsals = new Rehearsals({
    clock,
    log: createLogger({ level: 'silent' }),
    random: () => (next += 1) / 1_000_000,
    run: (order) => {
      const end = Promise.withResolvers<RehearsalOutcome>()
      orders.push({ order, end })
      order.signal.addEventListener('abort', () => end.reject(new Error('aborted')))
      return end.promise
    },
  })
  const client: KubeClient = createRestClient({ url: 'http://127.0.0.1:9', token: 'none' })
  const ask = (owner: string, reach = ALL) =>
    rehearsals.start({ scenario: scenario(), text: TEXT, owner, reach, client })
  const begin = (owner: string, reach = ALL): RehearsalView => {
    const run = ask(owner, reach)
    if (typeof run === 'string') throw new Error(run)
    return run
  }
  const states = (owner: string): string[] => rehearsals.list(owner, yes).map(({ state }) => state)
  return { rehearsals, orders, clock, ask, begin, states }
}

test('one runs at a time, the next begins when it ends, and its verdict is told', async () => {
  const { rehearsals, orders, begin, states } = start()
  const first = begin('ann')
  expect(begin('bob')).toMatchObject({ state: 'waiting', ahead: 1 })
  expect(orders).toHaveLength(1)
  orders[0]!.order.onProgress({ phase: 'running', atMs: 60_000 })
  expect(rehearsals.detail(first.id, 'ann', yes)?.run.progress).toEqual({
    phase: 'running',
    atMs: 60_000,
    stepsDone: 1,
  })
  orders[0]!.end.resolve(OUTCOME)
  await nextTurn()
  expect(states('bob')).toEqual(['running'])
  expect(rehearsals.recording(first.id, 'ann', yes)).toEqual({ incidents: [], plans: [] })
  expect(rehearsals.recording(first.id, 'bob', yes)).toBeUndefined()
  expect(rehearsals.recording(first.id, 'ann', () => false)).toBeUndefined()
  expect(rehearsals.detail(first.id, 'ann', yes)).toMatchObject({
    run: { state: 'done', verdict: { passed: false, holding: 0, failing: 1, unchecked: 1 } },
    scenario: TEXT,
    result: { clusters: 1 },
  })
  rehearsals.close()
})

test('a user has few at once, and all users together few that wait', () => {
  const { rehearsals, ask } = start()
  for (let count = 0; count < MAX_OF_USER; count += 1) expect(ask('ann')).toMatchObject({ name: 'lose-a' })
  expect(ask('ann')).toBe('tooManyOfUser')
  for (let count = MAX_OF_USER; count < MAX_WAITING + 1; count += 1) ask(`user-${count}`)
  expect(ask('bob')).toBe('full')
  rehearsals.close()
})

test('cancelling a running one aborts it and begins the next; a waiting one never begins', async () => {
  const { rehearsals, orders, begin, states } = start()
  const [first, second] = [begin('ann'), begin('ann')]
  const third = begin('bob')
  expect(rehearsals.remove(second.id, 'ann')).toBe(true)
  expect(rehearsals.remove(first.id, 'bob')).toBe(false)
  expect(rehearsals.remove(first.id, 'ann')).toBe(true)
  await nextTurn()
  expect(orders[0]!.order.signal.aborted).toBe(true)
  expect(states('ann')).toEqual(['cancelled', 'cancelled'])
  expect(states('bob')).toEqual(['running'])
  expect(orders).toHaveLength(2)
  expect(rehearsals.remove(first.id, 'ann')).toBe(true)
  expect(states('ann')).toEqual(['cancelled'])
  expect(rehearsals.detail(third.id, 'ann', yes)).toBeUndefined()
  rehearsals.close()
})

test('one that takes too long ends with the reason', async () => {
  const { orders, clock, rehearsals, begin } = start()
  const { id } = begin('ann')
  clock.advance(WALL_LIMIT_MS)
  await nextTurn()
  expect(orders[0]!.order.signal.aborted).toBe(true)
  expect(rehearsals.detail(id, 'ann', yes)?.run).toMatchObject({
    state: 'ended',
    problems: [{ code: 'rehearsals.problem.tooSlow' }],
  })
})

test('a defect ends it without telling more than that, and problems of the scenario are told', async () => {
  const { orders, rehearsals, begin } = start()
  const [first, second] = [begin('ann'), begin('ann')]
  orders[0]!.end.reject(new Error('secret detail'))
  await nextTurn()
  orders[1]!.end.resolve({ problems: [message('rehearsal.input.noCluster', { name: 'a' })] })
  await nextTurn()
  const problems = [first, second].map(({ id }) =>
    rehearsals.detail(id, 'ann', yes)?.run.problems.map(({ code }) => code),
  )
  expect(problems).toEqual([['rehearsals.problem.failed'], ['rehearsal.input.noCluster']])
})

test('the oldest results are forgotten', async () => {
  const { orders, rehearsals, begin } = start()
  for (let count = 0; count < MAX_KEPT + 5; count += 1) {
    begin('ann')
    orders.at(-1)!.end.resolve(OUTCOME)
    await nextTurn()
  }
  expect(rehearsals.list('ann', yes)).toHaveLength(MAX_KEPT)
})

test('a run is not shown any more to whom may read less than it was made of', () => {
  const { rehearsals, begin } = start()
  const reach: ReadableScope = { everything: false, namespaces: ['shop'] }
  const { id } = begin('ann', reach)
  const mayRead = ({ namespaces }: ReadableScope): boolean => !namespaces.includes('shop')
  expect(rehearsals.detail(id, 'ann', mayRead)).toBeUndefined()
  expect(rehearsals.list('ann', mayRead)).toEqual([])
  rehearsals.close()
})

test('closing ends all of them', async () => {
  const { rehearsals, orders, begin, states } = start()
  begin('ann')
  begin('ann')
  rehearsals.close()
  await nextTurn()
  expect(states('ann')).toEqual(['cancelled', 'cancelled'])
  expect(orders).toHaveLength(1)
})
