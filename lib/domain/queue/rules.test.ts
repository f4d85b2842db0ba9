/** Individual rules. */
import { message } from '@/lib/messages'
import { english } from '@/lib/messages/english'
import { describe, expect, test } from 'vitest'
import type { QueueSpec } from '@/lib/kube/kinds/queue'
import {
  PRIORITY_CLASS_ANNOTATION,
  QUEUE_ANNOTATION,
  QUEUE_FINALIZER,
  queueStatusOf,
  RELEASE_REQUESTED_ANNOTATION,
  RELEASED_AT_ANNOTATION,
  RELEASED_BY_ANNOTATION,
  BYPASSED_ANNOTATION,
  SUSPENDED_BY_ANNOTATION,
  SUSPENDED_REASON_ANNOTATION,
} from '.'
import { Tenants, type WorkloadParts } from './testing/tenants'
import { at, free, LINE, noted, released, steps, verdict, waitOf } from './testing/shorthands'

describe('the state of a binding', () => {
  const cases: [string, WorkloadParts][] = [
    ['Waiting', {}],
    ['SuspendedByOther', { annotations: { [QUEUE_ANNOTATION]: '' } }],
    ['Waiting', { annotations: { [QUEUE_ANNOTATION]: 'gone/queue' } }],
    ['SuspendedByOther', { annotations: { ...noted, [SUSPENDED_BY_ANNOTATION]: `ann ${at(0)}` } }],
    ['HeldPlaced', { cluster: 'member1' }],
    ['PlacedSuspended', { cluster: 'member1', annotations: { [QUEUE_ANNOTATION]: '' } }],
    ['Admitted', { ...free, cluster: 'member1' }],
    ['InFlight', { ...free, annotations: { ...noted, [RELEASED_AT_ANNOTATION]: at(1) } }],
    [
      'Refused',
      { ...free, annotations: { ...noted, [RELEASED_AT_ANNOTATION]: at(1) }, status: verdict('False', 'NoClusterFit') },
    ],
    ['TakenOut', { ...free, annotations: noted }],
    ['SlippedThrough', free],
    ['InFlight', { ...free, metadata: { creationTimestamp: at(-60) } }],
    ['Dependent', { spec: { placement: undefined } }],
    ['Deleting', { metadata: { deletionTimestamp: at(0), annotations: noted } }],
  ]
  test.each(cases)('%s: %j', (state, parts) => {
    const tenants = new Tenants().queue('red').submit('red', 'a', parts)
    expect(tenants.snapshot().queues[0]!.bindings[0]!.state).toBe(state)
  })
})

describe('the priority of a binding', () => {
  const classes = [
    { name: 'gold', value: 50 },
    { name: 'usual', value: 5, default: true },
  ]
  const cases: [string, WorkloadParts, number, string | undefined][] = [
    [
      'the class that people put it into',
      { priority: 7, annotations: { ...noted, [PRIORITY_CLASS_ANNOTATION]: 'gold' } },
      50,
      'gold',
    ],
    [
      'a PriorityClass of the cluster by that name',
      { annotations: { ...noted, [PRIORITY_CLASS_ANNOTATION]: 'system' } },
      900,
      'system',
    ],
    [
      'schedulePriority, where the class is unknown',
      { priority: 7, annotations: { ...noted, [PRIORITY_CLASS_ANNOTATION]: 'tin' } },
      7,
      undefined,
    ],
    ['schedulePriority, even when it is 0', { priority: 0 }, 0, undefined],
    [
      'the PriorityClass of its pods',
      { spec: { replicaRequirements: { priorityClassName: 'system' } } },
      900,
      'system',
    ],
    ['the default class of the queue', {}, 5, 'usual'],
  ]
  test.each(cases)('is that of %s', (_, parts, priority, priorityClass) => {
    const tenants = new Tenants().queue('red', { priorityClasses: classes }).submit('red', 'a', parts)
    tenants.priorityClasses.push({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'system', uid: '1', resourceVersion: '1', creationTimestamp: at(0) },
      value: 900,
    })
    expect(tenants.snapshot().queues[0]!.bindings[0]).toMatchObject({
      priority,
      ...(priorityClass && { priorityClass }),
    })
  })
})

describe('the queue of a namespace', () => {
  test('the older of two queues gets it, and the other one is invalid and says so without naming a foreign queue', () => {
    const tenants = new Tenants()
      .queue('red', { namespaces: ['shared', 'extra'] })
      .wait(1)
      .queue('blue', { namespaces: ['shared'] })
      .submit('shared', 'a')
      .submit('blue', 'b')
    const [blue, red] = tenants.snapshot().queues
    expect(red!.namespaces).toEqual(['extra', 'red', 'shared'])
    expect(blue!.namespaces).toEqual([])
    expect(blue!.invalid?.text).toEqual(message('queues.invalid.OverlapHidden', { count: 1, namespaces: ['shared'] }))
    expect(queueStatusOf(tenants.plan(), 'blue/line', english.of)?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Valid', status: 'False', reason: 'Overlap' }),
    )
    expect(released(tenants)).toEqual(['shared/a'])
  })

  test('of two of the same age, the one with the smaller key', () => {
    const tenants = new Tenants().queue('red', { namespaces: ['shared'] }).queue('blue', { namespaces: ['shared'] })
    expect(tenants.snapshot().queues.map(({ key, namespaces }) => [key, namespaces])).toEqual([
      ['blue/line', ['blue', 'shared']],
      ['red/line', []],
    ])
  })

  test('pending workloads in a namespace that the queue gave up are admitted or stay, as onDelete says', () => {
    const binding = { annotations: noted }
    const tenants = new Tenants().queue('red').submit('former', 'a', binding)
    expect(steps(tenants)).toEqual(['Release a QueueGone'])
    tenants.change('red', { spec: { onDelete: 'Hold' } })
    expect(steps(tenants)).toEqual(['HandOver a HandedOver'])
    tenants.pass()
    expect(tenants.bindings.get('former/a')).toMatchObject({
      metadata: { annotations: { [SUSPENDED_BY_ANNOTATION]: `queue red/line ${at(0)}` } },
      spec: { suspension: { scheduling: true } },
    })
    expect(steps(tenants)).toEqual([])
  })

  test.each<[string, QueueSpec['onDelete'], string]>([
    ['is released', 'Release', 'Release late QueueGone'],
    ['stays suspended as by a user', 'Hold', 'HandOver late HandedOver'],
  ])('a workload suspended while its queue is being deleted %s', (_, onDelete, step) => {
    const tenants = new Tenants().queue('red', onDelete && { onDelete }, {
      deletionTimestamp: at(0),
      finalizers: [QUEUE_FINALIZER],
    })
    tenants.pass()
    expect([...tenants.queues]).toEqual([])
    tenants
      .submit('red', 'late')
      .submit('red', 'byHand', { annotations: { [SUSPENDED_BY_ANNOTATION]: 'ann' } })
      .submit('blue', 'other')
    expect(steps(tenants)).toEqual([step])
    expect(tenants.plan().orphans.map(({ key }) => key)).toEqual(['blue/other'])
    tenants.pass()
    expect(steps(tenants)).toEqual([])
  })

  test('workloads left by a deleted queue are listed, and not changed', () => {
    const tenants = new Tenants().submit('red', 'a')
    expect(tenants.plan()).toMatchObject({ steps: [], orphans: [{ key: 'red/a' }] })
  })
})

describe('the order of a queue', () => {
  test('priority, then age, then name', () => {
    const tenants = new Tenants()
      .queue('red', { maxInFlight: 1 })
      .submit('red', 'b')
      .submit('red', 'a')
      .submit('red', 'low', {
        priority: -1,
        metadata: { creationTimestamp: at(-60), annotations: noted, namespace: 'red' },
      })
      .wait(1)
      .submit('red', 'urgent', { priority: 9 })
    expect(
      tenants.plan().queues[0]!.pendingWorkloads.map(({ binding, position }) => `${position} ${binding.name}`),
    ).toEqual(['1 urgent', '2 a', '3 b', '4 low'])
  })

  const quota = { hard: { cpu: '2' } }
  const lineOf = (strategy: QueueSpec['strategy']) =>
    new Tenants()
      .queue('red', { strategy, quota })
      .submit('red', 'big', { cpu: '2' })
      .submit('red', 'one', { ...free, cluster: 'member1' })
      .wait(1)
      .submit('red', 'small')

  test('StrictFIFO: nothing overtakes the head', () => {
    const tenants = lineOf('StrictFIFO')
    expect(released(tenants)).toEqual([])
    expect(waitOf(tenants, 'red/small')?.text).toBe(
      'Blocked by red/big, the first workload of a strict-order queue; 1 workload is ahead.',
    )
  })

  test('BestEffortFIFO: workloads that fit overtake those that do not', () => {
    expect(released(lineOf('BestEffortFIFO'))).toEqual(['red/small'])
  })

  test('BestEffortFIFO: but not if queued more than ten minutes later', () => {
    const tenants = lineOf('BestEffortFIFO')
      .finish('red/small')
      .wait(700)
      .submit('red', 'late')
      .submit('red', 'config', { replicas: 0 })
    expect(released(tenants)).toEqual(['red/config'])
    expect(waitOf(tenants, 'red/late')?.text).toBe(
      'Fits, but red/big was queued well before it: resources that become free are kept for red/big.',
    )
  })

  test('BestEffortFIFO: a workload that can never fit blocks no other workload', () => {
    const tenants = new Tenants()
      .queue('red', { quota })
      .submit('red', 'giant', { cpu: '3' })
      .wait(5000)
      .submit('red', 'small')
    expect(released(tenants)).toEqual(['red/small'])
    expect(waitOf(tenants, 'red/giant')?.text).toBe(
      'Can’t be admitted: needs 3 CPU, more than the queue’s quota of 2 CPU including borrowing. Reduce the request or raise the quota.',
    )
  })

  test('a user may request one by name: it is first, ahead of all others, the limit and a hold, but within the quota', () => {
    const request = { annotations: { ...noted, [RELEASE_REQUESTED_ANNOTATION]: `ann ${at(0)}` } }
    const tenants = new Tenants()
      .fleet('1')
      .queue('red', {
        strategy: 'StrictFIFO',
        quota: { hard: { cpu: '3' } },
        maxInFlight: 1,
        hold: { reason: 'no', since: at(0) },
      })
      .submit('red', 'head')
      .submit('red', 'wanted', { ...request, cpu: '2' })
      .submit('red', 'wanted-too', { ...request, cpu: '2' })
    expect(tenants.plan().releases).toMatchObject([
      { binding: { key: 'red/wanted' }, reason: { text: message('queues.step.Requested', { who: 'ann' }) } },
    ])
    tenants.pass()
    expect(tenants.bindings.get('red/wanted')).toMatchObject({
      metadata: { annotations: { [RELEASED_BY_ANNOTATION]: 'ann', [RELEASED_AT_ANNOTATION]: at(0) } },
      spec: { suspension: { scheduling: false } },
    })
    expect(steps(tenants)).toEqual([])
  })

  test('workloads suspended by a user stay at the end of the list, with the reason', () => {
    const tenants = new Tenants()
      .queue('red')
      .submit('red', 'a', {
        annotations: {
          [QUEUE_ANNOTATION]: '',
          [SUSPENDED_BY_ANNOTATION]: `ann ${at(0)}`,
          [SUSPENDED_REASON_ANNOTATION]: 'not ready',
        },
      })
      .submit('red', 'b', { annotations: { [QUEUE_ANNOTATION]: '' } })
    expect(released(tenants)).toEqual([])
    expect(waitOf(tenants, 'red/a')?.text).toBe(
      'Scheduling is suspended by ann since 2026-01-02 00:00:00 UTC (not ready) until it is resumed.',
    )
    expect(waitOf(tenants, 'red/b')?.text).toBe('Scheduling is suspended until it is resumed.')
  })
})

describe('quota and capacity', () => {
  test('the smaller of hard and the FederatedResourceQuota counts, also for replicas', () => {
    const tenants = new Tenants()
      .queue('red', { quota: { hard: { cpu: '9', replicas: 3 }, federatedResourceQuota: 'overall' } })
      .submit('red', 'a', { replicas: 2 })
      .submit('red', 'b', { replicas: 2, cpu: '0' })
    tenants.quotas.push({
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'FederatedResourceQuota',
      metadata: { name: 'overall', namespace: 'red', uid: '1', resourceVersion: '1', creationTimestamp: at(0) },
      spec: { overall: { cpu: '2' } },
    })
    expect(tenants.snapshot().queues[0]!.limits?.hard).toEqual({ cpu: 2000, replicas: 3 })
    expect(released(tenants)).toEqual(['red/a'])
    expect(waitOf(tenants, 'red/b')?.text).toBe(
      'Exceeds the queue’s quota by 1 replica (needs 2 replicas; 2 of 3 replicas used). Borrowing is disabled.',
    )
  })

  test('without the named FederatedResourceQuota no workload is admitted', () => {
    const tenants = new Tenants().queue('red', { quota: { federatedResourceQuota: 'overall' } }).submit('red', 'a')
    expect(released(tenants)).toEqual([])
    expect(waitOf(tenants, 'red/a')?.code).toBe('QuotaNotFound')
    expect(queueStatusOf(tenants.plan(), LINE, english.of)?.conditions).toContainEqual(
      expect.objectContaining({ type: 'QuotaFound', status: 'False' }),
    )
  })

  test('components count as one set, and a workload that the scheduler could not place keeps its usage', () => {
    const component = (name: string, replicas: number, cpu: string) => ({
      name,
      replicas,
      replicaRequirements: { resourceRequest: { cpu } },
    })
    const tenants = new Tenants()
      .queue('red', { quota: { hard: { cpu: '5' } } })
      .submit('red', 'refused', {
        cpu: '2',
        ...free,
        annotations: { ...noted, [RELEASED_AT_ANNOTATION]: at(0) },
        status: verdict('False', 'Unschedulable'),
      })
      .submit('red', 'set', { spec: { components: [component('head', 1, '1'), component('worker', 3, '1')] } })
    expect(tenants.plan().queues[0]!.used).toEqual({ cpu: 2000, replicas: 1 })
    expect(waitOf(tenants, 'red/set')?.text).toContain('needs 4 CPU; 2 of 5 CPU used')
  })

  test('an absurd request is refused like any other that is too large, and delays no other workload', () => {
    const tenants = new Tenants()
      .fleet('4')
      .queue('red', { quota: { hard: { cpu: '4' } } })
      .queue('blue', { quota: { hard: { cpu: '1e400' } } })
      .submit('red', 'absurd', { cpu: '1e400' })
      .submit('red', 'a')
      .submit('blue', 'b')
    expect(waitOf(tenants, 'red/absurd')?.code).toBe('BeyondQuota')
    expect(released(tenants).toSorted()).toEqual(['blue/b', 'red/a'])
  })

  test('a queue whose quota was lowered takes nothing from another one if it may not borrow', () => {
    const tenants = new Tenants()
      .queue('red', { quota: { hard: { cpu: '1' } } })
      .queue('blue', { quota: { hard: { cpu: '1' } } })
      .submit('red', 'old', { cpu: '2', ...free, cluster: 'member1' })
      .submit('blue', 'new')
    expect(released(tenants)).toEqual(['blue/new'])
  })

  test('nothing is admitted beyond the capacity of the fleet; members that add nodes on demand may be exempt', () => {
    const tenants = new Tenants()
      .fleet('2')
      .queue('red')
      .submit('red', 'a', { cpu: '3' })
      .submit('red', 'b', { cpu: '2' })
      .submit('red', 'c')
    expect(released(tenants)).toEqual(['red/b'])
    expect(waitOf(tenants, 'red/a')?.code).toBe('BeyondCapacity')
    expect(waitOf(tenants, 'red/c')?.text).toBe('Needs 1 CPU; the clusters have 0 CPU free.')
    tenants.change('red', { metadata: { annotations: { 'queue.evenkeel.io/capacity': 'ignore' } } })
    expect(released(tenants)).toEqual(['red/a', 'red/b', 'red/c'])
  })

  test('while members do not report no workload is admitted, and no message asks to grow the fleet', () => {
    const tenants = new Tenants().fleet('2').queue('red').submit('red', 'a')
    tenants.clusters = tenants.clusters.map((each) => ({ ...each, status: { ...each.status, conditions: [] } }))
    expect(released(tenants)).toEqual([])
    expect(waitOf(tenants, 'red/a')?.text).toBe('Needs 1 CPU; the clusters have 0 CPU free.')
  })

  test('a workload duplicated to three named clusters demands three times as much', () => {
    const duplicated = (type: 'Duplicated' | 'Divided') => ({
      spec: {
        placement: {
          clusterAffinity: { clusterNames: ['a', 'b', 'c'] },
          replicaScheduling: { replicaSchedulingType: type },
        },
      },
    })
    const tenants = new Tenants()
      .queue('red', { quota: { hard: { cpu: '3' } } })
      .submit('red', 'everywhere', { replicas: 2, ...duplicated('Duplicated') })
      .submit('red', 'divided', { replicas: 3, ...duplicated('Divided') })
    expect(waitOf(tenants, 'red/everywhere')?.text).toContain('needs 6 CPU')
    expect(released(tenants)).toEqual(['red/divided'])
  })

  test('an older head within its fair share has a claim to capacity before younger workloads of other queues', () => {
    const tenants = new Tenants()
      .fleet('4')
      .queue('red')
      .queue('blue')
      .submit('blue', 'runs', { cpu: '3', ...free, cluster: 'member1' })
      .submit('red', 'big', { cpu: '2' })
      .wait(700)
      .submit('blue', 'late')
    expect(released(tenants)).toEqual([])
    expect(waitOf(tenants, 'blue/late')?.text).toBe(
      'Fits, but an older workload of another queue has priority for free CPU.',
    )
    tenants.finish('blue/runs')
    expect(released(tenants)).toEqual(['red/big', 'blue/late'])
  })

  test('one beyond its fair share may be overtaken for an hour, and then has the same claim', () => {
    const tenants = new Tenants()
      .fleet('4')
      .queue('red')
      .queue('blue')
      .submit('blue', 'runs', { cpu: '3', ...free, cluster: 'member1' })
      .submit('red', 'big', { cpu: '3' })
      .wait(700)
      .submit('blue', 'late')
    expect(released(tenants)).toEqual(['blue/late'])
    tenants.finish('blue/late').wait(3000).submit('blue', 'later')
    expect(released(tenants)).toEqual([])
  })

  test('a claim also holds when capacity becomes free: a queue with a smaller share must not take it', () => {
    const tenants = new Tenants()
      .fleet('8')
      .queue('red')
      .queue('blue')
      .submit('red', 'runs', { cpu: '2', ...free, cluster: 'member1' })
      .submit('red', 'big', { cpu: '6' })
      .wait(3700)
      .submit('blue', 'small')
    expect(released(tenants)).toEqual(['red/big'])
    expect(waitOf(tenants, 'blue/small')?.text).toBe('Needs 1 CPU; the clusters have 0 CPU free.')
  })

  test('if both fit no workload yields to a claim', () => {
    const tenants = new Tenants()
      .fleet('9')
      .queue('red')
      .queue('blue')
      .submit('red', 'runs', { cpu: '2', ...free, cluster: 'member1' })
      .submit('red', 'big', { cpu: '6' })
      .wait(3700)
      .submit('blue', 'small')
    expect(released(tenants)).toEqual(['blue/small', 'red/big'])
  })

  test('a workload that can never be admitted has no claim, and takes none from the next in its queue', () => {
    const tenants = new Tenants()
      .fleet('4')
      .queue('red')
      .queue('blue')
      .submit('blue', 'runs', { cpu: '3', ...free, cluster: 'member1' })
      .submit('red', 'hopeless', { cpu: '40' })
      .submit('red', 'big', { cpu: '2' })
      .wait(700)
      .submit('blue', 'late')
    expect(released(tenants)).toEqual([])
    expect(waitOf(tenants, 'blue/late')?.text).toContain('an older workload of another queue has priority')
  })

  test('maxInFlight counts what the scheduler has not processed, and no refusals', () => {
    const out = { ...free, annotations: { ...noted, [RELEASED_AT_ANNOTATION]: at(0) } }
    const tenants = new Tenants()
      .queue('red', { maxInFlight: 2 })
      .submit('red', 'out', out)
      .submit('red', 'refused', { ...out, status: verdict('False', 'NoClusterFit') })
      .submit('red', 'a')
      .submit('red', 'b')
    expect(released(tenants)).toEqual(['red/a'])
    expect(waitOf(tenants, 'red/b')?.text).toBe(
      'Limited by maxInFlight: 2 workloads admitted and not yet scheduled; 2 workloads are ahead.',
    )
  })
})

describe('the status', () => {
  test('counts, and names the head and what blocks it', () => {
    const tenants = new Tenants()
      .fleet('10')
      .queue('red', { quota: { hard: { cpu: '3', memory: '1536Mi' } } })
      .wait(1)
      .submit('red', 'runs', { cpu: '2500m', ...free, cluster: 'member1' })
      .submit('red', 'a')
      .submit('red', 'slipped', {
        cluster: 'member1',
        cpu: '0',
        annotations: { ...noted, [BYPASSED_ANNOTATION]: at(0) },
      })
    expect(queueStatusOf(tenants.plan(), LINE, english.of)).toMatchObject({
      observedGeneration: 1,
      namespaces: ['red'],
      pending: 1,
      inFlight: 0,
      admitted: 2,
      slippedThrough: 1,
      used: { cpu: '2500m', replicas: '2' },
      quota: { cpu: '3', memory: '1536Mi' },
      borrowed: {},
      dominantShare: { resource: 'cpu', permille: 833 },
      oldestWaitSince: at(1),
      hold: { state: 'None' },
      headOfLine: {
        name: 'a',
        reason: 'Exceeds the queue’s quota by 0.5 CPU (needs 1 CPU; 2.5 of 3 CPU used). Borrowing is disabled.',
      },
    })
  })

  test('does not change with time alone', () => {
    const tenants = new Tenants().queue('red', { hold: { reason: 'audit', since: at(0) } }).submit('red', 'a')
    tenants.pass()
    const { status } = tenants.queues.get(LINE)!
    tenants.wait(60).pass()
    expect(tenants.queues.get(LINE)!.status).toEqual(status)
    expect(tenants.plan().queues[0]!.pendingWorkloads[0]!.why.code).toBe('Held')
  })
})
