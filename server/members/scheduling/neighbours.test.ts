import { expect, test } from 'vitest'
import type { Affinity, TopologySpreadConstraint } from '@/lib/kube/kinds'
import type { NodeInfo } from './choose-node'
import { type ArrivingPod, neighbourRule, type PlacedPod } from './neighbours'

const nodeInfo = (name: string, zone?: string): NodeInfo => ({
  name,
  labels: { host: name, ...(zone && { zone }) },
  unschedulable: false,
  taints: [],
  allocatable: new Map(),
  used: new Map(),
})
const NODE_INFOS = [nodeInfo('a1', 'a'), nodeInfo('a2', 'a'), nodeInfo('b1', 'b'), nodeInfo('none')]
const placed = (node: string, app: string, rest: Partial<PlacedPod> = {}): PlacedPod => ({
  namespace: 'default',
  labels: { app },
  node,
  ...rest,
})
const arriving = (app: string, rest: Partial<ArrivingPod> = {}): ArrivingPod => ({
  namespace: 'default',
  labels: { app },
  needs: { requests: new Map(), nodeSelector: {}, tolerations: [] },
  ...rest,
})
const term = (app: string, topologyKey: string) => ({ labelSelector: { matchLabels: { app } }, topologyKey })
const near = (app: string, key = 'zone'): { affinity: Affinity } => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(app, key)] } },
})
const apart = (app: string, key = 'zone'): { affinity: Affinity } => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(app, key)] } },
})
const spread = (rest: Partial<TopologySpreadConstraint> = {}): Partial<ArrivingPod> => ({
  spread: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
      ...rest,
    },
  ],
})

/** Names of the nodes that are left. */
function nodesFor(pod: ArrivingPod, present: readonly PlacedPod[]): string[] {
  const guarded = present.filter(({ affinity }) => affinity?.podAntiAffinity)
  const rule = neighbourRule(pod, { nodeInfos: NODE_INFOS, placed: () => present, guarded })
  return NODE_INFOS.filter((one) => rule?.(one) === undefined).map(({ name }) => name)
}

const ALL = ['a1', 'a2', 'b1', 'none']

test.each<[string, ArrivingPod, PlacedPod[], string[]]>([
  ['a plain pod goes anywhere', arriving('web'), [placed('a1', 'web')], ALL],
  ['a pod goes to the zone of its friends', arriving('web', near('db')), [placed('a1', 'db')], ['a1', 'a2']],
  [
    'friends of another namespace are none',
    arriving('web', near('db')),
    [placed('a1', 'db', { namespace: 'other' })],
    [],
  ],
  ['without friends a pod waits', arriving('web', near('db')), [placed('a1', 'web')], []],
  ['the first of a group may go to any zone', arriving('web', near('web')), [], ['a1', 'a2', 'b1']],
  [
    'a pod keeps away from its own kind on a host',
    arriving('web', apart('web', 'host')),
    [placed('a1', 'web')],
    ['a2', 'b1', 'none'],
  ],
  ['a pod keeps away from a zone', arriving('web', apart('web')), [placed('a1', 'web')], ['b1', 'none']],
  ['a pod that is there keeps others away', arriving('web'), [placed('b1', 'db', apart('web'))], ['a1', 'a2', 'none']],
  ['it keeps only those away that it means', arriving('job'), [placed('b1', 'db', apart('web'))], ALL],
  ['pods are spread over zones', arriving('web', spread()), [placed('a1', 'web')], ['b1']],
  ['a larger skew allows more', arriving('web', spread({ maxSkew: 2 })), [placed('a1', 'web')], ['a1', 'a2', 'b1']],
  [
    'a wish forbids nothing',
    arriving('web', spread({ whenUnsatisfiable: 'ScheduleAnyway' })),
    [placed('a1', 'web')],
    ALL,
  ],
  [
    'too few domains count as an empty one',
    arriving('web', spread({ minDomains: 3 })),
    [placed('a1', 'web'), placed('b1', 'web')],
    [],
  ],
  [
    'pods of another revision do not count',
    arriving('web', { ...spread({ matchLabelKeys: ['rev'] }), labels: { app: 'web', rev: '2' } }),
    [placed('a1', 'web', { labels: { app: 'web', rev: '1' } })],
    ['a1', 'a2', 'b1'],
  ],
  [
    'only the zones that the pod may use are compared',
    arriving('web', { ...spread(), needs: { requests: new Map(), nodeSelector: { zone: 'a' }, tolerations: [] } }),
    [placed('a1', 'web')],
    ['a1', 'a2', 'b1'],
  ],
])('%s', (_sentence, pod, present, expected) => {
  expect(nodesFor(pod, present)).toEqual(expected)
})

test('a node without the label says so', () => {
  const rule = neighbourRule(arriving('web', spread()), { nodeInfos: NODE_INFOS, placed: () => [], guarded: [] })
  expect(rule?.(nodeInfo('none'))).toBe("node(s) didn't match pod topology spread constraints (missing required label)")
})
