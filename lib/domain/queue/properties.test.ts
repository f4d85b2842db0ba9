/** Properties of any tenants, drawn with fixed seeds. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planReleases, type ReleasePlan } from '.'
import { ResourceUsage } from './resource-usage'
import { byQueueOrder } from './binding-roles'
import { Tenants } from './testing/tenants'

const NAMESPACES = ['blue', 'green', 'red'] as const
const amount = fc.integer({ min: 1, max: 4 })
const workload = fc.record({
  namespace: fc.constantFrom(...NAMESPACES),
  cpu: amount,
  replicas: fc.integer({ min: 1, max: 3 }),
  priority: fc.integer({ min: 0, max: 2 }),
  after: fc.constantFrom(0, 1, 60, 900),
  state: fc.constantFrom('waits', 'waits', 'waits', 'runs', 'byHand', 'wanted'),
})
const queue = fc.record({
  strategy: fc.constantFrom('StrictFIFO' as const, 'BestEffortFIFO' as const),
  weight: fc.integer({ min: 1, max: 3 }),
  hard: fc.option(fc.integer({ min: 0, max: 20 })),
  borrows: fc.constantFrom('nothing', 'some', 'everything'),
  maxInFlight: fc.option(amount),
  held: fc.constantFrom(false, false, false, true),
})
const fleets = fc.record({
  capacity: fc.option(fc.integer({ min: 0, max: 60 })),
  queues: fc.tuple(queue, queue, queue),
  workloads: fc.array(workload, { maxLength: 25 }),
})
type GivenFleet = typeof fleets extends fc.Arbitrary<infer T> ? T : never

const annotationsOf = {
  byHand: { 'queue.evenkeel.io/queue': '' },
  wanted: { 'queue.evenkeel.io/release-requested': 'ann' },
  waits: {},
  runs: {},
}

function tenantsOf({ capacity, queues, workloads }: GivenFleet): Tenants {
  const tenants = new Tenants()
  if (capacity !== null) tenants.fleet(String(capacity))
  queues.forEach(({ strategy, weight, hard, borrows, maxInFlight, held }, at) => {
    const borrowingLimit: Record<string, string> | undefined = {
      nothing: undefined,
      some: { cpu: '3' },
      everything: {},
    }[borrows]
    tenants.queue(NAMESPACES[at]!, {
      strategy,
      weight,
      ...(hard !== null && { quota: { hard: { cpu: String(hard) }, ...(borrowingLimit && { borrowingLimit }) } }),
      ...(maxInFlight !== null && { maxInFlight }),
      ...(held && { hold: { reason: 'test', since: '2026-01-01T00:00:00Z' } }),
    })
  })
  workloads.forEach(({ namespace, cpu, replicas, priority, after, state }, at) => {
    tenants
      .wait(after)
      .submit(namespace, `w${at}`, {
        cpu: String(cpu),
        replicas,
        priority,
        ...(state === 'runs' ? { suspended: false, cluster: 'member1' } : { annotations: annotationsOf[state] }),
      })
  })
  return tenants
}

/** Carries out a plan and returns the state after it. */
function afterwards(tenants: Tenants): ReleasePlan {
  tenants.pass()
  return tenants.plan()
}

const holdsForAll = (check: (given: GivenFleet) => void, numRuns = 250): void =>
  fc.assert(fc.property(fleets, check), { seed: 11, numRuns })

describe('for any tenants', () => {
  test('planning again after the admissions yields none', () => {
    holdsForAll((drawn) => {
      expect(afterwards(tenantsOf(drawn)).releases).toEqual([])
    })
  })

  test('the order of the objects does not matter', () => {
    fc.assert(
      fc.property(fleets, fc.integer(), (drawn, salt) => {
        const tenants = tenantsOf(drawn)
        const shuffled = <T>(list: readonly T[]): T[] =>
          list
            .map((item, at) => [(at * 7919 + salt) % 31, item] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, item]) => item)
        const before = planReleases(tenants.snapshot())
        const [queues, bindings] = [shuffled([...tenants.queues]), shuffled([...tenants.bindings])]
        tenants.queues.clear()
        tenants.bindings.clear()
        for (const [key, each] of queues) tenants.queues.set(key, each)
        for (const [key, each] of bindings) tenants.bindings.set(key, each)
        expect(planReleases(tenants.snapshot())).toEqual(before)
      }),
      { seed: 12, numRuns: 150 },
    )
  })

  test('in a StrictFIFO queue no workload overtakes another unless a user requested it', () => {
    holdsForAll((drawn) => {
      const tenants = tenantsOf(drawn)
      for (const {
        queue: { key, bindings, strategy },
      } of tenants.plan().queues) {
        if (strategy !== 'StrictFIFO') continue
        const line = bindings
          .filter(({ state, releaseRequested }) => state === 'Waiting' && !releaseRequested)
          .sort(byQueueOrder)
        const gone = new Set(
          tenants
            .plan()
            .releases.filter(({ queue, reason }) => queue === key && reason.code !== 'Requested')
            .map(({ binding }) => binding.key),
        )
        expect(line.slice(0, gone.size).every((binding) => gone.has(binding.key))).toBe(true)
      }
    })
  })

  test('an admission never exceeds a quota with borrowing, nor the sum of all quotas', () => {
    holdsForAll((drawn) => {
      const tenants = tenantsOf(drawn)
      const [before, after] = [tenants.plan(), afterwards(tenants)]
      const limited = after.queues.filter(({ queue }) => queue.limits)
      for (const { queue, used } of limited) {
        const old = before.queues.find((each) => each.queue.key === queue.key)!.used['cpu'] ?? 0
        const { hard, borrowing } = queue.limits!
        const most = hard['cpu']! + (borrowing === 'everything' ? Infinity : (borrowing?.['cpu'] ?? 0))
        expect(used['cpu'] ?? 0).toBeLessThanOrEqual(Math.max(old, most))
      }
      const sum = (plan: ReleasePlan) =>
        plan.queues.filter(({ queue }) => queue.limits).reduce((all, { used }) => all + (used['cpu'] ?? 0), 0)
      const pool = limited.reduce((all, { queue }) => all + queue.limits!.hard['cpu']!, 0)
      const own = limited.reduce(
        (all, { queue, used }) =>
          all
          + Math.max(
            0,
            (used['cpu'] ?? 0)
              - (queue.limits!.hard['cpu']!
                + (queue.limits!.borrowing === 'everything' ? Infinity : (queue.limits!.borrowing?.['cpu'] ?? 0))),
          ),
        0,
      )
      expect(sum(after) - own).toBeLessThanOrEqual(Math.max(pool, sum(before)))
    })
  })

  test('work is conserved: nothing waits that fits, unless its queue, a limit or an older one blocks it', () => {
    const kept = new Set([
      'Held',
      'SuspendedByOther',
      'MaxInFlight',
      'BlockedByHead',
      'YieldsToHead',
      'YieldsToOtherQueue',
    ])
    holdsForAll((drawn) => {
      const tenants = tenantsOf(drawn)
      const plan = afterwards(tenants)
      const usage = new ResourceUsage(tenants.snapshot())
      for (const { queue, pendingWorkloads } of plan.queues) {
        for (const { binding, why } of pendingWorkloads) {
          if (kept.has(why.code)) continue
          const quota = usage.checkQuota(queue, binding, false)
          const fits = quota.fits && usage.checkCapacity(queue, binding) === undefined
          expect([binding.key, why.code, fits]).toEqual([binding.key, why.code, false])
        }
      }
    })
  })

  test('every pending workload has a position and a reason, without duplicate positions', () => {
    holdsForAll((drawn) => {
      for (const { queue, pendingWorkloads } of tenantsOf(drawn).plan().queues) {
        expect(pendingWorkloads.map(({ position }) => position)).toEqual(pendingWorkloads.map((_, at) => at + 1))
        const waiting = queue.bindings.filter(({ state }) => state === 'Waiting' || state === 'SuspendedByOther')
        expect(new Set(pendingWorkloads.map(({ binding }) => binding.key))).toEqual(
          new Set(waiting.map(({ key }) => key)),
        )
      }
    })
  })
})

test('the share of each queue is within one workload of its fair share', () => {
  const lines = fc.array(fc.record({ cpu: amount, priority: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 15,
    maxLength: 15,
  })
  fc.assert(
    fc.property(
      fc.tuple(lines, lines, lines),
      fc.tuple(amount, amount, amount),
      fc.integer({ min: 3, max: 30 }),
      (all, weights, capacity) => {
        const tenants = new Tenants().fleet(String(capacity))
        NAMESPACES.forEach((namespace, at) => {
          tenants.queue(namespace, { weight: weights[at]!, strategy: 'StrictFIFO' })
          all[at]!.forEach(({ cpu, priority }, index) =>
            tenants.submit(namespace, `w${index}`, { cpu: String(cpu), priority }),
          )
        })
        const got: Record<string, number> = {}
        const blocked = new Set<string>()
        for (const { queue, binding } of tenants.plan().releases) {
          const weightOf = (key: string) => weights[NAMESPACES.findIndex((each) => key.startsWith(`${each}/`))]!
          const mine = (got[queue] ?? 0) / weightOf(queue)
          for (const other of NAMESPACES.map((each) => `${each}/line`)) {
            if (blocked.has(other)) continue
            // A queue with a smaller share is skipped only if its head no longer fits, for the rest of the plan.
            if ((got[other] ?? 0) / weightOf(other) < mine) blocked.add(other)
          }
          expect(blocked.has(queue)).toBe(false)
          got[queue] = (got[queue] ?? 0) + binding.demand['cpu']!
        }
        const free = capacity * 1000 - Object.values(got).reduce((sum, each) => sum + each, 0)
        for (const { queue, pendingWorkloads } of tenants.plan().queues) {
          const head = pendingWorkloads.find(({ next }) => !next)
          if (blocked.has(queue.key)) expect(head!.binding.demand['cpu']).toBeGreaterThan(free)
        }
      },
    ),
    { seed: 13, numRuns: 150 },
  )
})

test('the next queue has the smallest weighted dominant share; one with less lacks capacity, and says so', () => {
  const GiB = 2 ** 30
  const lines = fc.array(fc.record({ cpu: amount, memory: amount }), { minLength: 12, maxLength: 12 })
  const size = fc.integer({ min: 3, max: 30 })
  fc.assert(
    fc.property(
      fc.tuple(lines, lines, lines),
      fc.tuple(amount, amount, amount),
      fc.tuple(size, size),
      (all, weights, [cpu, memory]) => {
        const tenants = new Tenants().fleet(String(cpu), `${memory}Gi`)
        NAMESPACES.forEach((namespace, at) => {
          tenants.queue(namespace, { weight: weights[at]!, strategy: 'StrictFIFO' })
          all[at]!.forEach((one, index) =>
            tenants.submit(namespace, `w${String(index).padStart(2, '0')}`, {
              cpu: String(one.cpu),
              memory: `${one.memory}Gi`,
            }),
          )
        })
        const total: Record<string, number> = { cpu: cpu * 1000, memory: memory * GiB }
        const got = new Map(NAMESPACES.map((each) => [`${each}/line`, { cpu: 0, memory: 0 } as Record<string, number>]))
        const weightedShare = (key: string): number =>
          Math.max(...Object.keys(total).map((name) => got.get(key)![name]! / total[name]!))
          / weights[NAMESPACES.findIndex((each) => key.startsWith(`${each}/`))]!
        const passedOver = new Set<string>()
        const plan = tenants.plan()
        for (const { queue, binding } of plan.releases) {
          for (const other of got.keys()) if (weightedShare(other) < weightedShare(queue) - 1e-12) passedOver.add(other)
          expect([...passedOver]).not.toContain(queue)
          for (const name of Object.keys(total)) got.get(queue)![name]! += binding.demand[name]!
        }
        const left = (name: string): number =>
          [...got.values()].reduce((rest, each) => rest - each[name]!, total[name]!)
        for (const { queue, pendingWorkloads } of plan.queues) {
          const head = pendingWorkloads.find(({ next }) => !next)
          const lacks = Object.keys(total).filter((name) => (head?.binding.demand[name] ?? 0) > left(name))
          expect(Math.min(...Object.keys(total).map(left))).toBeGreaterThanOrEqual(0)
          if (head) expect(lacks).toContain('resource' in head.why ? head.why.resource : undefined)
          else expect(passedOver.has(queue.key)).toBe(false)
        }
      },
    ),
    { seed: 18, numRuns: 100 },
  )
})

test('no workload starves: while others finish, every workload that can ever fit is admitted', () => {
  const MOST = 6
  const job = fc.record({ namespace: fc.constantFrom(...NAMESPACES), cpu: fc.integer({ min: 1, max: MOST }) })
  const limits = fc.record({
    hard: fc.integer({ min: MOST, max: 8 }),
    borrows: fc.boolean(),
    weight: amount,
    // A workload that no fleet can run blocks its StrictFIFO queue, and no other queue.
    strategy: fc.constantFrom('StrictFIFO' as const, 'BestEffortFIFO' as const, 'hopeless' as const),
  })
  const lasts = fc.integer({ min: 1, max: 4 })
  fc.assert(
    fc.property(
      fc.array(job, { maxLength: 12 }),
      fc.tuple(limits, limits, limits),
      fc.array(lasts, { minLength: 7, maxLength: 7 }),
      (jobs, drawn, turns) => {
        const tenants = new Tenants().fleet('8')
        NAMESPACES.forEach((namespace, at) => {
          const { hard, borrows, weight, strategy } = drawn[at]!
          tenants.queue(namespace, {
            strategy: strategy === 'hopeless' ? 'BestEffortFIFO' : strategy,
            weight,
            quota: { hard: { cpu: String(hard) }, ...(borrows && { borrowingLimit: {} }) },
          })
          if (strategy === 'hopeless') tenants.submit(namespace, 'hopeless', { cpu: '30' })
        })
        jobs.forEach(({ namespace, cpu }, at) => tenants.submit(namespace, `job${at}`, { cpu: String(cpu) }))
        // Small workloads keep arriving in each queue, as a greedy tenant would submit them.
        let turn = 0
        const since = new Map<string, number>()
        const waits = () =>
          jobs
            .map(({ namespace }, at) => tenants.bindings.get(`${namespace}/job${at}`))
            .filter((binding) => binding?.spec.suspension?.scheduling)
        for (; turn < 80 && (turn === 0 || waits().length > 0); turn++) {
          for (const namespace of NAMESPACES) tenants.submit(namespace, `small${turn}`)
          tenants.wait(300).pass()
          tenants.schedule()
          const running = [...tenants.bindings]
            .filter(([, { spec }]) => spec.clusters?.length)
            .map(([key]) => key)
            .sort()
          for (const key of running) {
            if (!since.has(key)) since.set(key, turn)
            // Some end sooner than others, and every one ends.
            const began = since.get(key)!
            if (turn - began + 1 >= turns[(key.length * 3 + began) % turns.length]!) tenants.finish(key)
          }
        }
        expect(waits().map((binding) => binding!.metadata.name)).toEqual([])
      },
    ),
    { seed: 14, numRuns: 40 },
  )
})

describe('whatever users and other controllers do', () => {
  const key = fc
    .tuple(fc.constantFrom(...NAMESPACES), fc.integer({ min: 0, max: 5 }))
    .map(([namespace, at]) => ({ namespace, name: `w${at}` }))
  const act = fc.oneof(
    fc.record({ do: fc.constant('submit' as const), key }),
    fc.record({ do: fc.constant('slip' as const), key }),
    fc.record({
      do: fc.constantFrom(
        'hold' as const,
        'holdAll' as const,
        'resume' as const,
        'inSteps' as const,
        'delete' as const,
      ),
      key,
    }),
    fc.record({ do: fc.constantFrom('free' as const, 'byHand' as const, 'want' as const, 'finish' as const), key }),
    fc.record({ do: fc.constantFrom('schedule' as const, 'pass' as const), key }),
  )
  type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

  function perform(tenants: Tenants, { do: what, key: { namespace, name } }: Act): void {
    const id = `${namespace}/${name}`
    const isThere = tenants.bindings.has(id)
    const isPlaced = (tenants.bindings.get(id)?.spec.clusters ?? []).length > 0
    const change = (spec: object) => {
      if (tenants.queues.has(`${namespace}/line`)) tenants.change(namespace, { spec })
    }
    const hold = { reason: 'test', includePlaced: what === 'holdAll' }
    switch (what) {
      case 'submit':
      case 'slip':
        if (!isThere) tenants.submit(namespace, name, { suspended: what === 'submit' })
        break
      case 'hold':
      case 'holdAll':
        return change({ hold })
      case 'resume':
        return change({ hold: null })
      case 'inSteps':
        if (tenants.queues.get(`${namespace}/line`)?.spec?.hold) change({ hold: { resume: { step: 1 } } })
        break
      case 'delete':
        if (tenants.queues.has(`${namespace}/line`))
          tenants.change(namespace, { metadata: { deletionTimestamp: '2026-01-02T00:00:00Z' } })
        break
      case 'free':
        if (isThere) tenants.edit(id, { spec: { suspension: { scheduling: false } } })
        break
      case 'byHand':
        if (isThere && !isPlaced)
          tenants.edit(id, {
            metadata: { annotations: { 'queue.evenkeel.io/suspended-by': 'ann' } },
            spec: { suspension: { scheduling: true } },
          })
        break
      case 'want':
        if (isThere) tenants.edit(id, { metadata: { annotations: { 'queue.evenkeel.io/release-requested': 'ann' } } })
        break
      case 'finish':
        if (isThere) tenants.finish(id)
        break
      case 'schedule':
        tenants.schedule()
        break
      default:
        tenants.pass()
    }
  }

  const acts = fc.array(act, { maxLength: 40 })
  const tenantsAfter = (done: readonly Act[]): Tenants => {
    const tenants = new Tenants()
    for (const namespace of NAMESPACES) {
      tenants.queue(
        namespace,
        { quota: { hard: { cpu: '2' } }, maxInFlight: 1 },
        { finalizers: ['queue.evenkeel.io/line'] },
      )
    }
    for (const each of done) {
      tenants.wait(7)
      perform(tenants, each)
    }
    return tenants
  }

  test('without holds and quotas every workload runs, unless a user or a deleted queue suspended it', () => {
    fc.assert(
      fc.property(acts, (done) => {
        const tenants = tenantsAfter(done)
        for (const {
          metadata: { namespace = '' },
        } of tenants.queues.values()) {
          tenants.change(namespace, { spec: { hold: null, quota: null } })
        }
        for (let turn = 0; turn < 40; turn++) {
          tenants.wait(1).pass()
          tenants.schedule()
        }
        const left = [...tenants.bindings.values()].filter(
          ({ spec, metadata }) =>
            spec.suspension?.scheduling === true && !metadata.annotations?.['queue.evenkeel.io/suspended-by'],
        )
        expect(left.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort()).toEqual(
          tenants.plan().orphans.map(({ key: orphan }) => orphan),
        )
        for (const { metadata } of left) expect(tenants.queues.has(`${metadata.namespace}/line`)).toBe(false)
      }),
      { seed: 15, numRuns: 200 },
    )
  })

  test('the controller settles: reconciles of an unchanged fleet write nothing', () => {
    fc.assert(
      fc.property(acts, (done) => {
        const tenants = tenantsAfter(done)
        for (let turn = 0; turn < 8; turn++) tenants.pass()
        const before = [...tenants.queues.values()].map(({ status }) => status)
        expect(tenants.pass().steps.map(({ act: step, details: { name } }) => `${step} ${name}`)).toEqual([])
        expect([...tenants.queues.values()].map(({ status }) => status)).toEqual(before)
      }),
      { seed: 16, numRuns: 200 },
    )
  })

  test('an effective hold holds every unplaced workload except those requested by name', () => {
    fc.assert(
      fc.property(acts, (done) => {
        const tenants = tenantsAfter(done)
        for (const { queue, hold } of tenants.plan().queues) {
          if (hold.state !== 'Effective') continue
          const free = queue.bindings.filter(
            ({ suspended, placed, releasedBy, releaseRequested, state }) =>
              !suspended && !placed && releasedBy !== 'ann' && !releaseRequested && state !== 'Deleting',
          )
          expect(free).toEqual([])
        }
      }),
      { seed: 17, numRuns: 200 },
    )
  })
})
