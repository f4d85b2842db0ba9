import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import { isoTime } from '@/lib/std/clock'
import fc from '@/lib/testing/properties'
import type { FailoverView } from '../failover-model'
import type { PlanRowView } from '../rebalance-model'
import { runningIncidents, type RunningIncident } from './incidents'
import { type Notice, noticesBetween, type Tracked } from './notices'

const AT = Date.UTC(2026, 10, 22, 3, 0, 0)
const iso = (seconds: number): string => isoTime(AT + seconds * 1000)

const say = (state: FailoverView['state']['state']) => ({ state, reason: 'as it is' })

function row(more: Partial<FailoverView>): FailoverView {
  return {
    id: 'row',
    kind: 'workload',
    cluster: 'm1',
    cause: 'cluster',
    stage: 'toleration',
    state: say('warn'),
    since: iso(0),
    steps: [],
    kept: false,
    successors: [],
    actions: [],
    ...more,
  }
}

const web = 'apps~v1/Deployment/demo/web'
const stages = (more: Partial<NonNullable<FailoverView['workloads']>> = {}) => ({
  unhealthy: 0,
  toleration: 0,
  evicting: 0,
  replaced: 0,
  done: 0,
  ...more,
})
const cluster = (more: Partial<FailoverView> = {}) => row({ kind: 'cluster', workloads: stages(), ...more })
const outage = (endedAt?: string) => ({ affected: 3, recovered: 0, ...(endedAt !== undefined && { endedAt }) })
const workload = (more: Partial<FailoverView> = {}) => row({ workload: web, ...more })
const plan = (phase: PlanRowView['phase']) =>
  ({ name: 'p', phase, state: say('fail'), hold: { reason: 'Regression', message: '', at: iso(1) } }) as PlanRowView

const keys = (failovers: FailoverView[], { plans = [], byCluster = true, at = 0 } = {} as Looked) =>
  runningIncidents({ failovers, plans, byCluster, now: AT + at * 1000 }).map(
    ({ key, blocked }) => `${key}${blocked > 0 ? ` !${blocked}` : ''}`,
  )
interface Looked {
  plans?: PlanRowView[]
  byCluster?: boolean
  at?: number
}

describe('an incident that runs', () => {
  test.each<[string, FailoverView[], string[]]>([
    ['none: nothing is listed', [], []],
    ['a lost cluster', [cluster({ incident: outage() })], ['cluster m1']],
    ['a lost cluster that nothing was placed in', [cluster({ stage: 'done', incident: outage() })], ['cluster m1']],
    ['none: the cluster is ready again', [cluster({ incident: outage(iso(9)) })], []],
    [
      'none: what still leaves after the outage',
      [cluster({ incident: outage(iso(9)), workloads: stages({ evicting: 1 }) }), workload({ stage: 'evicting' })],
      [],
    ],
    ['one: the workloads of a lost cluster', [cluster({ incident: outage() }), workload()], ['cluster m1']],
    [
      'a lost cluster with workloads that do not leave',
      [
        cluster({ incident: outage() }),
        workload({ state: say('fail') }),
        workload({ stage: 'unhealthy' }),
        workload({ stage: 'unhealthy', deadline: { at: iso(5), meaning: 'taint' } }),
        workload({ state: say('fail'), kept: true }),
      ],
      ['cluster m1 !2'],
    ],
    ['a tainted cluster', [cluster({ workloads: stages({ toleration: 1 }) })], ['failover m1']],
    ['none: a tainted cluster without workloads', [cluster({ stage: 'done' })], []],
    [
      'a drain within an hour of an outage',
      [cluster({ cause: 'request', incident: outage(iso(9)), workloads: stages({ evicting: 1 }) })],
      ['failover m1'],
    ],
    ['an application', [workload({ cause: 'application' })], [`application ${web} m1`]],
    ['none: an application that an operator keeps', [workload({ cause: 'application', kept: true })], []],
    [
      'an application that no policy moves',
      [workload({ cause: 'application', stage: 'unhealthy' })],
      [`application ${web} m1 !1`],
    ],
  ])('%s', (_, failovers, expected) => {
    expect(keys(failovers)).toEqual(expected)
  })

  test('without the right to list clusters each workload is one', () => {
    expect(keys([workload()], { byCluster: false })).toEqual([`failover ${web} m1`])
  })

  test('an application that is long due to leave is stuck, one in a lost cluster awaits its turn', () => {
    const due = { deadline: { at: iso(0), meaning: 'toleration' as const } }
    const rows = [workload({ cause: 'application', ...due }), cluster({ incident: outage() }), workload(due)]
    expect(keys(rows, { at: 29 })).toEqual(['cluster m1', `application ${web} m1`])
    expect(keys(rows, { at: 30 })).toEqual(['cluster m1', `application ${web} m1 !1`])
  })

  test.each<[PlanRowView['phase'], string[]]>([
    ['Held', ['plan p']],
    ['Paused', []],
    ['Running', []],
    ['Stopped', []],
    ['Completed', []],
  ])('a plan that is %s', (phase, expected) => {
    expect(keys([], { plans: [plan(phase)] })).toEqual(expected)
  })
})

const running = (more: Partial<RunningIncident> = {}): RunningIncident => ({
  key: 'cluster m1',
  kind: 'cluster',
  cluster: 'm1',
  since: iso(0),
  requested: false,
  state: message('common.listUnavailable'),
  blocked: 0,
  ...more,
})

/** Expected notices of each check: the time in seconds, and the running incidents. */
function told(...looks: [seconds: number, RunningIncident[]][]): string[][] {
  let tracked: Tracked = {}
  return looks.map(([seconds, incidents]) => {
    const { after, notices } = noticesBetween(tracked, incidents, AT + seconds * 1000)
    tracked = after
    return notices.map(({ event, incident }) => `${event} ${incident.since.slice(17, 19)}`)
  })
}

describe('notices', () => {
  test('tell that an incident began, once, and that it ended', () => {
    expect(told([1, [running()]], [2, [running()]], [3, []], [4, []])).toEqual([
      ['IncidentBegan 00'],
      [],
      ['IncidentEnded 00'],
      [],
    ])
  })

  test('tell once that it is blocked, when it was for half a minute without a pause', () => {
    const stuck = running({ blocked: 2 })
    expect(
      told(
        [0, [stuck]],
        [29, [stuck]],
        [30, [stuck]],
        [31, [stuck]],
        [40, [running()]],
        [99, [stuck]],
        [129, [stuck]],
        [130, []],
      ),
    ).toEqual([['IncidentBegan 00'], [], ['IncidentBlocked 00'], [], [], [], [], ['IncidentEnded 00']])
    expect(told([0, [stuck]], [20, [running()]], [25, [stuck]], [54, [stuck]], [55, [stuck]])).toEqual([
      ['IncidentBegan 00'],
      [],
      [],
      [],
      ['IncidentBlocked 00'],
    ])
  })

  test('tell of two outages where the cluster was ready between two looks', () => {
    expect(told([1, [running()]], [50, [running({ since: iso(40) })]])).toEqual([
      ['IncidentBegan 00'],
      ['IncidentEnded 00', 'IncidentBegan 40'],
    ])
  })

  test('know an incident by its first symptom, though more becomes known of it', () => {
    const failing = running({ key: 'application a m1', kind: 'application', workload: web })
    const [began, later] = told([1, [failing]], [9, [{ ...failing, since: iso(7) }]])
    expect([began, later]).toEqual([['IncidentBegan 00'], []])
  })

  test('tell of plans that are held', () => {
    const held = running({ key: 'plan p', kind: 'plan', plan: 'p' })
    expect(told([1, [held]], [2, []])).toEqual([['PlanHeld 00'], ['PlanHoldEnded 00']])
  })

  test('take what another process tracked for the same incident, whenever it saw it begin', () => {
    const { seenSince: _seen, ...known } = noticesBetween({}, [running()], AT).after['cluster m1']!
    const next = noticesBetween({ 'cluster m1': known }, [running({ since: iso(60) })], AT + 60_000)
    expect(next.notices).toEqual([])
    expect(noticesBetween(next.after, [], AT + 61_000).notices.map(({ id }) => id)).toEqual([
      `cluster m1 ${iso(0)} IncidentEnded`,
    ])
  })

  test.each<[string, Partial<RunningIncident>, string]>([
    ['a cluster', {}, 'Cluster m1: why'],
    ['a drain', { kind: 'failover', requested: true }, 'Cluster m1 is being drained: why'],
    ['taints', { kind: 'failover' }, 'Workloads leave cluster m1: why'],
    ['an application', { kind: 'application', workload: web }, 'demo/web fails in cluster m1: why'],
    ['one without a namespace', { kind: 'application', workload: 'v1/Thing/-/x' }, 'x fails in cluster m1: why'],
    ['a workload', { kind: 'failover', workload: web }, 'demo/web leaves cluster m1: why'],
    ['a plan', { kind: 'plan', plan: 'p' }, 'Rebalance plan p is held: why'],
  ])('say what began: %s', (_, more, text) => {
    const { notices } = noticesBetween({}, [running({ state: 'why', ...more })], AT)
    expect(notices.map((notice) => english.of(notice.text))).toEqual([text])
  })
})

const kinds = fc.constantFrom<RunningIncident['kind']>('cluster', 'failover', 'application', 'plan')
const looks = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 40 }),
    running: fc.uniqueArray(
      fc.record({ kind: kinds, name: fc.constantFrom('a', 'b'), blocked: fc.integer({ min: 0, max: 1 }) }),
      { selector: ({ kind, name }) => `${kind} ${name}` },
    ),
    renewed: fc.boolean(),
  }),
  { maxLength: 30 },
)

test('whatever happens, each incident begins once, is blocked at most once after that, and ends once', () => {
  fc.assert(
    fc.property(looks, (steps) => {
      let [tracked, now, outages]: [Tracked, number, number] = [{}, AT, 0]
      const all: Notice[] = []
      for (const step of [...steps, { after: 1, running: [], renewed: false }]) {
        now += step.after * 1000 + 1
        if (step.renewed) outages += 1
        const incidents = step.running.map(({ kind, name, blocked }) =>
          running({ key: `${kind} ${name}`, kind, blocked, since: kind === 'cluster' ? iso(outages) : isoTime(now) }),
        )
        const { after, notices } = noticesBetween(tracked, incidents, now)
        tracked = after
        all.push(...notices)
      }
      const stories = Map.groupBy(all, ({ incident }) => incident.key)
      for (const [key, story] of stories) {
        const events = story.map(({ event }) => event).join(' ')
        const one = key.startsWith('plan ')
          ? 'PlanHeld( IncidentBlocked)? PlanHoldEnded'
          : 'IncidentBegan( IncidentBlocked)? IncidentEnded'
        expect(events).toMatch(new RegExp(`^(${one} ?)+$`))
      }
      expect(tracked).toEqual({})
    }),
  )
})
