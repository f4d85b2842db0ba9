import { describe, expect, test } from 'vitest'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { SpreadSubset, SubsetStatus, WorkloadSpread, WorkloadSpreadSpec } from '@/lib/kube/kinds/workload-spread'
import type { SpreadInClusterView, SpreadView } from '../spread-model'
import { type Propagated, projectSpread } from './spread'
import { reportOf, sampleBinding, sampleWork, T0, T1, T2 } from './testing/samples'
import { projectWorkload } from './workload'

interface Input {
  subsets: readonly SpreadSubset[]
  spec?: Partial<WorkloadSpreadSpec>
  /** Pods that the workload is to have in m1, and those that it reports. */
  size?: number
  total?: number
  kind?: string
  rows?: readonly SubsetStatus[]
  versioned?: Record<string, SubsetStatus[]>
  silent?: boolean
}

const row = (
  name: string,
  replicas: number,
  missingReplicas: number,
  more: Partial<SubsetStatus> = {},
): SubsetStatus => ({ name, replicas, missingReplicas, ...more })
const unschedulable = [
  { type: 'Schedulable', status: 'False', reason: 'PodUnschedulable', message: '', lastTransitionTime: T0 } as const,
]

const aSpread = ({ subsets, spec, kind = 'Deployment' }: Input): WorkloadSpread => ({
  apiVersion: 'apps.kruise.io/v1beta1',
  kind: 'WorkloadSpread',
  metadata: { name: 'pools', namespace: 'demo', uid: 'u', resourceVersion: '1', creationTimestamp: T0 },
  spec: { targetRef: { apiVersion: 'apps/v1', kind, name: 'web' }, subsets: [...subsets], ...spec },
})

function propagated(binding: ResourceBinding): Propagated {
  const works = (binding.spec.clusters ?? []).map(({ name }) => sampleWork(name))
  return { binding, view: projectWorkload({ binding, works, readiness: undefined }) }
}

const propagating = (aggregatedStatus: BindingStatus['aggregatedStatus'], clusters = { m1: 0 }): Propagated =>
  propagated(
    sampleBinding({
      name: 'pools',
      clusters,
      spec: {
        resource: { apiVersion: 'apps.kruise.io/v1beta1', kind: 'WorkloadSpread', namespace: 'demo', name: 'pools' },
        replicas: 0,
        replicaRequirements: undefined,
      },
      status: { aggregatedStatus },
    }),
  )

function project(input: Input): SpreadView {
  const { rows = [], versioned, size = 10, total = size, kind = 'Deployment', silent = false } = input
  const status = {
    observedGeneration: 1,
    subsetStatuses: [...rows],
    ...(versioned && { versionedSubsetStatuses: versioned }),
  }
  const target = propagated(
    sampleBinding({
      clusters: { m1: size },
      spec: { resource: { apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1', kind, namespace: 'demo', name: 'web' } },
      status: {
        aggregatedStatus: [reportOf('m1', total, kind === 'Job' ? { status: { active: total, succeeded: 7 } } : {})],
      },
    }),
  )
  return projectSpread({
    spread: aSpread(input),
    target,
    propagated: propagating([{ clusterName: 'm1', applied: true, status }]),
    silent: new Set(silent ? ['m1'] : []),
  })
}

const inM1 = (input: Input): SpreadInClusterView => project(input).clusters.find(({ cluster }) => cluster === 'm1')!
const line = ({ sum }: SpreadInClusterView): string | undefined =>
  sum && `${sum.total} = ${sum.parts.join(' + ')}, ${english.of(sum.state.reason)}`
const order = ({ deleteOrder = [] }: SpreadInClusterView): string =>
  deleteOrder.map(({ subset = 'none', pods, cost }) => `${pods} ${subset} at ${cost}`).join(', ')

describe('subsets want their share, filled up in their order', () => {
  const thirds: SpreadSubset[] = [
    { name: 'a', maxReplicas: '20%' },
    { name: 'b', maxReplicas: '20%' },
    { name: 'c', maxReplicas: '60%' },
  ]
  test.each<
    [
      sentence: string,
      input: { subsets: SpreadSubset[]; size: number },
      desired: (number | undefined)[],
      limits: (number | undefined)[],
    ]
  >([
    [
      'a percentage is rounded up, the last takes what is left',
      {
        subsets: [{ name: 'spot', maxReplicas: '60%' }, { name: 'ondemand', maxReplicas: 3 }, { name: 'rest' }],
        size: 10,
      },
      [6, 3, 1],
      [6, 3, undefined],
    ],
    ['rounding up leaves less for the last than its limit', { subsets: thirds, size: 7 }, [2, 2, 3], [2, 2, 5]],
    ['one pod goes to the first', { subsets: thirds, size: 1 }, [1, 0, 0], [1, 1, 1]],
    [
      'numbers first, then no limit',
      { subsets: [{ name: 'normal', maxReplicas: 100 }, { name: 'elastic' }], size: 120 },
      [100, 20],
      [100, undefined],
    ],
    [
      'a first subset without limit leaves nothing to others',
      { subsets: [{ name: 'normal' }, { name: 'elastic' }], size: 10 },
      [10, 0],
      [undefined, undefined],
    ],
    ['nothing is wanted of a workload that has no pods', { subsets: thirds, size: 0 }, [0, 0, 0], [0, 0, 0]],
  ])('%s', (_sentence, { subsets, size }, desired, limits) => {
    const counts = inM1({ subsets, size, rows: subsets.map(({ name }) => row(name, 0, 0)) }).subsets!
    expect(counts.map((count) => count.desired)).toEqual(desired)
    expect(counts.map((count) => count.limit)).toEqual(limits)
  })

  test('a size from another field of the workload is unknown, and so is a percentage of it', () => {
    const view = inM1({
      subsets: [
        { name: 'a', maxReplicas: '50%' },
        { name: 'b', maxReplicas: 3 },
      ],
      spec: { targetFilter: { replicasPathList: ['spec.x'] } },
      rows: [row('a', 2, 3), row('b', 1, 2)],
    })
    expect(view.size).toBeUndefined()
    expect(view.subsets!.map(({ limit, desired, missing }) => [limit, desired, missing])).toEqual([
      [undefined, undefined, 3],
      [3, undefined, 2],
    ])
  })
})

describe('the accounting line', () => {
  const subsets: SpreadSubset[] = [
    { name: 'spot', maxReplicas: '60%' },
    { name: 'ondemand', maxReplicas: 3 },
    { name: 'rest' },
  ]
  const rows = [row('spot', 5, 1), row('ondemand', 3, 0), row('rest', 2, -1)]
  test.each<[sentence: string, input: Partial<Input>, line: string | undefined, state: string | undefined]>([
    ['balances when the subsets add up', { rows }, '10 = 5 + 3 + 2, Balanced', 'ok'],
    [
      'is off when pods belong to no subset',
      { size: 12, total: 12, rows },
      '12 = 5 + 3 + 2, Off by 2: 2 pods are in no subset',
      'fail',
    ],
    [
      'is off when the subsets count more than there is',
      { size: 9, total: 9, rows },
      '9 = 5 + 3 + 2, Off by 1: the subsets count 1 pod more than the workload has',
      'fail',
    ],
    [
      'waits while the workload has not its size yet',
      { total: 8, rows },
      '8 = 5 + 3 + 2, Off by 2 while pods are created or deleted',
      'active',
    ],
    [
      'waits while a pod is on its way',
      { size: 11, total: 11, rows: [row('spot', 5, 1, { creatingPods: { x: T0 } }), ...rows.slice(1)] },
      '11 = 5 + 3 + 2, Off by 1 while pods are created or deleted',
      'active',
    ],
    ['counts the running pods of a Job alone', { kind: 'Job', rows }, '10 = 5 + 3 + 2, Balanced', 'ok'],
    [
      'cannot be drawn when only some pods are spread',
      { rows, spec: { targetFilter: { selector: { matchLabels: { tier: 'x' } } } } },
      undefined,
      undefined,
    ],
  ])('%s', (_sentence, input, expected, state) => {
    const view = inM1({ subsets, ...input })
    expect(line(view)).toBe(expected)
    expect(view.sum?.state.state).toBe(state)
  })
})

describe('who goes first', () => {
  const two: SpreadSubset[] = [{ name: 'a', maxReplicas: 8 }, { name: 'b' }]
  test.each<[sentence: string, input: Input, order: string]>([
    [
      'the last subset, then the one before',
      { subsets: two, rows: [row('a', 8, 0), row('b', 2, -1)] },
      '2 b at 100, 8 a at 200',
    ],
    [
      'those too many for a limit that shrank',
      { subsets: [{ name: 'a', maxReplicas: 5 }, { name: 'b' }], rows: [row('a', 8, 0), row('b', 2, -1)] },
      '3 a at -100, 2 b at 100, 5 a at 200',
    ],
    [
      'pods of no subset before all others',
      { subsets: two, size: 11, rows: [row('a', 8, 0), row('b', 2, -1)] },
      '1 none at -300, 2 b at 100, 8 a at 200',
    ],
    [
      'the surplus of three, the last the cheapest',
      {
        subsets: [
          { name: 'a', maxReplicas: '20%' },
          { name: 'b', maxReplicas: '20%' },
          { name: 'c', maxReplicas: '60%' },
        ],
        size: 5,
        total: 10,
        rows: [row('a', 2, 0), row('b', 2, 0), row('c', 6, 0)],
      },
      '3 c at -300, 1 b at -200, 1 a at -100, 3 c at 100, 1 b at 200, 1 a at 300',
    ],
  ])('%s', (_sentence, input, expected) => {
    expect(order(inM1(input))).toBe(expected)
  })

  test.each([
    ['StatefulSet', 'ordinal'],
    ['Job', 'any'],
    ['ReplicaSet', 'subset'],
  ] as const)('of a %s: by %s', (kind, deletion) => {
    const view = project({ subsets: two, kind, rows: [row('a', 8, 0), row('b', 2, -1)] })
    expect(view.deletion).toBe(deletion)
    expect(view.clusters[0]!.deleteOrder === undefined).toBe(deletion !== 'subset')
  })
})

describe('conditions of a subset', () => {
  const two: SpreadSubset[] = [{ name: 'a', maxReplicas: 6 }, { name: 'b' }]
  test.each<[sentence: string, input: Partial<Input>, a: string, b: string]>([
    ['full and open', { rows: [row('a', 6, 0), row('b', 4, -1)] }, 'ok: Full', 'ok: No limit'],
    [
      'room that no replica needs',
      { size: 3, rows: [row('a', 3, 3), row('b', 0, -1)] },
      'ok: Room for 3 more pods',
      'ok: No limit',
    ],
    [
      'pods that are still to come',
      { total: 8, rows: [row('a', 4, 2), row('b', 4, -1)] },
      'active: 2 pods pending',
      'ok: No limit',
    ],
    [
      'pods that went on to a later subset',
      { rows: [row('a', 5, 1), row('b', 5, -1)] },
      'warn: 1 pod is in other subsets',
      'ok: 1 overflow from a',
    ],
    [
      'a limit that shrank',
      { rows: [row('a', 7, 0), row('b', 3, -1)] },
      'warn: 1 over the limit of 6; deleted first',
      'warn: 1 pod is in other subsets',
    ],
    [
      'no room',
      { rows: [row('a', 6, 0, { conditions: unschedulable }), row('b', 4, -1)] },
      'warn: Unschedulable; new pods skip this subset',
      'ok: No limit',
    ],
    [
      'pods on their way',
      { rows: [row('a', 5, 0, { creatingPods: { x: T0 }, deletingPods: { y: T0, z: T1 } }), row('b', 4, -1)] },
      'active: 1 pod being created, 2 pods being deleted',
      'ok: No limit',
    ],
    ['a subset that is new', { rows: [row('b', 4, -1)] }, 'active: Not reported yet', 'ok: No limit'],
    [
      'a limit that cannot be parsed',
      { subsets: [{ name: 'a', maxReplicas: 'half' }, { name: 'b' }], rows: [] },
      'fail: Invalid limit "half": use a number or a whole percentage',
      'active: Not reported yet',
    ],
  ])('%s', (_sentence, input, a, b) => {
    const counts = inM1({ subsets: two, ...input }).subsets!
    const said = counts.map(({ state }) => `${state.state}: ${english.of(state.reason)}`)
    expect(said[0]).toBe(a)
    expect(said[1]).toBe(b)
  })

  test('rows of a revision count too, each pod once, with the time until which it is expected', () => {
    const versioned = {
      v1: [
        row('a', 5, 0, {
          creatingPods: { 'web-2': T1, 'web-1': T0 },
          deletingPods: { 'web-0': T0 },
          conditions: unschedulable,
        }),
      ],
      v2: [row('a', 0, 6)],
    }
    const view = inM1({
      subsets: two,
      rows: [row('a', 5, 0, { creatingPods: { 'web-1': T0 } }), row('b', 4, -1)],
      versioned,
    })
    const [a] = view.subsets!
    expect(a!.expected).toEqual([
      { name: 'web-0', doing: 'deleting', since: T0, until: '2026-11-21T09:00:15Z' },
      { name: 'web-1', doing: 'creating', since: T0, until: T1 },
      { name: 'web-2', doing: 'creating', since: T1, until: T2 },
    ])
    expect(a!.unschedulable).toEqual({ since: T0, until: '2026-11-21T09:05:00Z' })
    expect(view.revisions).toBe(1)
  })
})

describe('where a spread is', () => {
  const subsets: SpreadSubset[] = [{ name: 'a' }]
  const alone = (parts: { travels?: Propagated; target?: Propagated; silent?: string[] }) =>
    projectSpread({
      spread: aSpread({ subsets }),
      propagated: parts.travels,
      target: parts.target,
      silent: new Set(parts.silent),
    })
  const targetIn = (clusters: Record<string, number>) => propagated(sampleBinding({ clusters }))
  const told = ({ clusters, state }: SpreadView): string[] => [
    `${state.state}: ${english.of(state.reason)}`,
    ...clusters.map((each) => `${each.state.state}: ${english.of(each.state.reason)}`),
  ]

  test.each<[sentence: string, view: SpreadView, told: string[]]>([
    ['a spread that no policy takes along', alone({}), ['warn: No policy propagates this WorkloadSpread']],
    [
      'a cluster that has reported nothing yet',
      alone({ travels: propagating([{ clusterName: 'm1', applied: true }]) }),
      ['unknown: m1: m1 has not reported yet', 'unknown: m1 has not reported yet'],
    ],
    [
      'a cluster that is not ready',
      alone({ travels: propagating([]), silent: ['m1'] }),
      ['unknown: m1: m1 is not ready and has no earlier report', 'unknown: m1 is not ready and has no earlier report'],
    ],
    [
      'a workload that went where the spread did not',
      alone({
        travels: propagating([{ clusterName: 'm1', applied: true, status: { subsetStatuses: [row('a', 1, -1)] } }]),
        target: targetIn({ m1: 1, m2: 2 }),
      }),
      [
        'warn: m2: The workload runs here without the WorkloadSpread; its pods are not spread',
        'ok: a 1',
        'warn: The workload runs here without the WorkloadSpread; its pods are not spread',
      ],
    ],
  ])('%s', (_sentence, view, expected) => {
    expect(told(view)).toEqual(expected)
  })

  test('a silent cluster shows its last report, marked as old', () => {
    const view = inM1({ subsets, rows: [row('a', 10, -1)], silent: true })
    expect(view.state).toEqual({ state: 'unknown', reason: message('spread.cluster.stale', { cluster: 'm1' }) })
    expect(view.subsets).toMatchObject([{ name: 'a', current: 10 }])
  })

  test('the target is linked once it is propagated, and named before that', () => {
    expect(project({ subsets, rows: [] })).toMatchObject({
      target: { name: 'web', namespace: 'demo' },
      workload: 'apps~v1/Deployment/demo/web',
    })
    expect(alone({})).toMatchObject({
      target: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'demo' },
    })
    expect(alone({}).workload).toBeUndefined()
  })
})

test('rules as text', () => {
  const subset: SpreadSubset = {
    name: 'a',
    maxReplicas: '60%',
    requiredNodeSelector: {
      matchExpressions: [
        { key: 'zone', operator: 'In', values: ['x'] },
        { key: 'gpu', operator: 'DoesNotExist' },
      ],
    },
    preferredNodeSelector: [
      { weight: 5, preference: { matchExpressions: [{ key: 'cores', operator: 'Gt', values: ['8'] }] } },
    ],
    tolerations: [
      { key: 'spot', operator: 'Exists', effect: 'NoSchedule' },
      { key: 'pool', value: 'y' },
    ],
    patch: { metadata: { labels: { tier: 'spot' } }, spec: { containers: [{ name: 'main' }] } },
  }
  const adaptive = {
    type: 'Adaptive',
    adaptive: { rescheduleCriticalSeconds: 30, disableSimulationSchedule: true },
  } as const
  const { subsets, behavior, strategy } = project({ subsets: [subset], spec: { scheduleStrategy: adaptive }, rows: [] })
  expect(subsets.map((one) => ({ ...one, rules: one.rules.map(english.of) }))).toEqual([
    {
      name: 'a',
      maxReplicas: '60%',
      rules: [
        'Requires nodes with zone=x and !gpu.',
        'Prefers nodes with cores>8 (weight 5).',
        'Tolerates taint spot:NoSchedule.',
        'Tolerates taint pool=y.',
        'Patches pod fields metadata.labels.tier and spec.containers.',
      ],
    },
  ])
  expect([strategy, ...behavior.map(english.of)]).toEqual([
    'Adaptive',
    'Pods that are unschedulable for 30 s are recreated in another subset. Their subset takes no new pods for 5 m.',
  ])
})
